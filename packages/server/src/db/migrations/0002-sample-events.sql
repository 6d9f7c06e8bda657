-- A sample of POST /me/webhook/test is delivered like an event, but it is no event: the log and the streams leave it out.
alter table events add column sample boolean default false not null;
comment on column events.sample is 'Made by POST /me/webhook/test: delivered with X-Service-Sample, in no list and no stream.';
