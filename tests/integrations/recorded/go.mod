module capi-policy.test/integrations/recorded

go 1.26.0
