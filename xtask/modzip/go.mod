module capi-policy.test/modzip

go 1.26.0

require golang.org/x/mod v0.33.0
