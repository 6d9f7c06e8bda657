-- The simulated payment provider. All that it knows of a customer is one document, which its rules change as a whole.
create table sim_pay_customers (
  id text primary key,
  owner text,
  world jsonb not null,
  due_at timestamptz
);
comment on column sim_pay_customers.owner is 'The organization that its metadata names.';
comment on column sim_pay_customers.due_at is 'When something happens by itself, such as a renewal.';
create index sim_pay_customers_owner on sim_pay_customers (owner);
create index sim_pay_customers_due on sim_pay_customers (due_at) where due_at is not null;

create table sim_pay_catalog (
  id text primary key,
  position bigint generated always as identity,
  kind text not null,
  content jsonb not null
);
comment on table sim_pay_catalog is 'What belongs to no customer: products, prices, portal configurations, endpoints.';

create table sim_pay_requests (
  key text primary key,
  request text not null,
  status int not null,
  response jsonb not null,
  created_at timestamptz not null
);
comment on table sim_pay_requests is 'Responses to requests with an idempotency key, for a day.';
create index sim_pay_requests_created on sim_pay_requests (created_at);

create table sim_pay_events (
  id text primary key,
  position bigint generated always as identity,
  customer_id text not null,
  type text not null,
  content jsonb not null,
  created_at timestamptz not null,
  due_at timestamptz,
  held boolean not null default false,
  attempts int not null default 0,
  deliveries jsonb not null default '[]'
);
comment on column sim_pay_events.due_at is 'When it is delivered next; null: never, or held.';
create index sim_pay_events_customer on sim_pay_events (customer_id, position);
create index sim_pay_events_due on sim_pay_events (due_at) where due_at is not null;
create index sim_pay_events_created on sim_pay_events (created_at);

create table sim_pay_faults (
  owner text primary key,
  calls text,
  only_calls text,
  times int,
  webhooks text
);
comment on column sim_pay_faults.times is 'How many more calls fail; null: all.';
