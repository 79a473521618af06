package capipolicy

import (
	"context"
	"sync"
)

// pool hands out instances, at most as many as it has slots. A slot holds an
// idle instance, or nil where there is none.
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

// call calls an export in an instance that nobody else has.
func (p *pool) call(ctx context.Context, e export, arguments []argument, lift lifter) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	select {
	case <-p.closed:
		return nil, ErrClosed
	default:
	}
	var i *instance
	select {
	case i = <-p.slots:
	case <-p.closed:
		return nil, ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if i == nil {
		var err error
		if i, err = newInstance(ctx, p.policy, p.limits); err != nil {
			p.slots <- nil
			return nil, err
		}
	}
	return i.call(ctx, e, arguments, lift, func(answer) {
		if i.reusable() {
			p.slots <- i
			return
		}
		i.close()
		p.slots <- nil
	})
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
		p.policy.code.Close()
	})
}
