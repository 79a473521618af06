/* A wall clock that is wrong by as many seconds as a file says; loaded before the C library. The other clocks stay right. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static long offset(void)
{
	const char *name = getenv("CLOCK_OFFSET_FILE");
	char text[24] = "";
	int file = name ? open(name, O_RDONLY | O_CLOEXEC) : -1;
	if (file < 0)
		return 0;
	ssize_t length = read(file, text, sizeof text - 1);
	close(file);
	return length > 0 ? strtol(text, NULL, 10) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
	static int (*real)(clockid_t, struct timespec *);
	if (!real)
		real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
	int result = real(clock, time);
	if (result == 0 && clock == CLOCK_REALTIME)
		time->tv_sec += offset();
	return result;
}
