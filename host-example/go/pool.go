package capipolicy

import (
	"context"
	"sync"
)

// pool hands out instances, at most as many as it has slots. A slot holds an
// idle instance, or nil where none has been made yet or the last one was
// thrown away.
type pool struct {
	policy *policyModule
	limits Options
	slots  chan *instance
	closed chan struct{}
	once   sync.Once
}

func newPool(policy *policyModule, limits Options) *pool {
	p := &pool{policy: policy, limits: limits, slots: make(chan *instance, limits.Instances), closed: make(chan struct{})}
	for range limits.Instances {
		p.slots <- nil
	}
	return p
}

// with runs use with an instance that nobody else has.
func (p *pool) with(ctx context.Context, use func(*instance) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case <-p.closed:
		return ErrClosed
	default:
	}
	var i *instance
	select {
	case i = <-p.slots:
	case <-p.closed:
		return ErrClosed
	case <-ctx.Done():
		return ctx.Err()
	}
	keep := false
	defer func() {
		if !keep && i != nil {
			i.close()
			i = nil
		}
		p.slots <- i
	}()
	if i == nil {
		var err error
		if i, err = newInstance(ctx, p.policy, p.limits); err != nil {
			return err
		}
	}
	err := use(i)
	keep = i.reusable()
	return err
}

// close waits for running calls to end and frees every instance.
func (p *pool) close() {
	p.once.Do(func() {
		close(p.closed)
		for range p.limits.Instances {
			if i := <-p.slots; i != nil {
				i.close()
			}
		}
	})
}
