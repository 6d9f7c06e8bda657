-- What an organization pays for, and who administers the service.
alter table organizations
  add column country text,
  add column country_locked_at timestamptz,
  add column paid_extra_numbers int not null default 0,
  add column ai_allowance_usd double precision,
  add column platform_admin_at timestamptz,
  add column deactivated_reason text,
  add column trial_mail text check (trial_mail in ('ending', 'ended'));
comment on column organizations.country is 'ISO 3166-1 alpha-2, in capitals. It decides the currency of payments.';
comment on column organizations.country_locked_at is 'When the first payment fixed the country.';
comment on column organizations.paid_extra_numbers is 'Numbers that its subscription pays for, beside extra_numbers, which the operator gives.';
comment on column organizations.ai_allowance_usd is 'The AI allowance of a month that the operator gave it; null for AI_ALLOWANCE_USD.';
comment on column organizations.platform_admin_at is 'Since when its owners and admins administer the service.';
comment on column organizations.deactivated_reason is 'What the operator said when it was deactivated.';
comment on column organizations.trial_mail is 'The last mail about the end of its trial.';
create index organizations_trial_mail on organizations (trial_ends_at) where trial_mail is distinct from 'ended';

alter table organization_products
  add column paid_at timestamptz,
  add column paid_until timestamptz;
comment on column organization_products.granted_at is 'When the operator granted it; null for a product that is only paid or on trial.';
comment on column organization_products.paused_at is 'When the operator revoked it, or since when it is only paid. What is paid works all the same.';
comment on column organization_products.paid_at is 'Since when a subscription pays for it; stays when that ends.';
comment on column organization_products.paid_until is 'When the payment ends; null while the subscription renews.';

-- Whether a product is active is decided here alone: while it is granted and not paused, while it is paid, or while it
-- is not paused and on a trial that runs.
create or replace view entitlements as
select o.id as organization_id, o.deleted_at, o.deactivated_at, o.moving_at, o.moved_to, o.require_two_factor,
       p.products, p.held = 0 as trial, p.ended > 0 as trial_ended, o.platform_admin_at is not null as platform_admin,
       p.paid_products, p.paid_until
  from organizations o
 cross join lateral (
   select count(coalesce(granted_at, paid_at)) as held,
          count(*) filter (
            where paid_until <= (select service_now())
               or paused_at is null and granted_at is null and paid_at is null and o.trial_ends_at <= (select service_now())
          ) as ended,
          coalesce(array_agg(product) filter (
            where paused_at is null and (granted_at is not null or o.trial_ends_at > (select service_now()))
               or paid_at is not null and (paid_until is null or paid_until > (select service_now()))
          ), '{}') as products,
          coalesce(array_agg(product) filter (
            where paid_at is not null and (paid_until is null or paid_until > (select service_now()))
          ), '{}') as paid_products,
          max(paid_until) filter (where paid_at is not null and paid_until > (select service_now())) as paid_until
     from organization_products where organization_id = o.id
 ) p;
comment on column entitlements.trial is 'It holds no product that was granted or paid: its messages count against the trial.';
comment on column entitlements.trial_ended is 'A product is off only because the free trial, or what was paid, has ended.';
comment on column entitlements.platform_admin is 'Its owners and admins administer the service.';
comment on column entitlements.paid_products is 'The products that are paid now.';
comment on column entitlements.paid_until is 'When the payment of these ends; null while it renews.';

create table billing_accounts (
  organization_id uuid primary key references organizations (id) on delete cascade,
  customer_id text unique,
  currency text not null,
  subscription_id text,
  status text not null default 'none'
    check (status in ('none', 'incomplete', 'active', 'past_due', 'unpaid', 'ended')),
  period text check (period in ('month', 'year')),
  items jsonb not null default '[]',
  amount bigint,
  credit bigint not null default 0,
  current_period_start timestamptz,
  current_period_end timestamptz,
  cancel_at_period_end boolean not null default false,
  ends_at timestamptz,
  past_due_since timestamptz,
  grace_ends_at timestamptz,
  pending jsonb,
  open_invoice jsonb,
  card jsonb,
  checkout jsonb,
  wanted bigint not null default 0,
  seen bigint not null default 0,
  due_at timestamptz,
  refreshed_at timestamptz,
  lease_until timestamptz,
  lease_token uuid,
  livemode boolean not null,
  created_at timestamptz not null
);
create index billing_accounts_due on billing_accounts (due_at) where due_at is not null;
create index billing_accounts_grace on billing_accounts (grace_ends_at) where status = 'past_due';
comment on table billing_accounts is 'What the payment provider says about an organization, as it was read last. Amounts are in the smallest unit of the currency.';
comment on column billing_accounts.items is 'The items of the subscription: [{item, quantity}], the item a product or extra_numbers.';
comment on column billing_accounts.wanted is 'How often a refresh was wanted, by an event for example.';
comment on column billing_accounts.seen is 'How many of these the last refresh has seen.';
comment on column billing_accounts.due_at is 'When the provider is read next; null while nothing is expected of it.';
comment on column billing_accounts.lease_token is 'The call that works with the provider for this organization, until lease_until.';

create table billing_invoices (
  id uuid primary key,
  organization_id uuid not null references organizations (id) on delete cascade,
  provider_id text not null unique,
  number text,
  status text not null check (status in ('open', 'paid', 'void', 'uncollectible')),
  currency text not null,
  subtotal bigint not null,
  tax bigint not null,
  total bigint not null,
  paid bigint not null,
  refunded bigint not null default 0,
  disputed boolean not null default false,
  created_at timestamptz not null,
  paid_at timestamptz,
  failed_at timestamptz,
  period_start timestamptz not null,
  period_end timestamptz not null,
  pay_url text,
  lines jsonb not null,
  receipt_mailed_at timestamptz,
  failure_mailed_at timestamptz
);
create index billing_invoices_organization on billing_invoices (organization_id, created_at, id);
comment on table billing_invoices is 'The invoices of the payment provider. Amounts are in the smallest unit of the currency.';
comment on column billing_invoices.failed_at is 'When a payment of it was first seen to have failed.';

create table payment_events (
  id text primary key,
  type text not null,
  customer_id text,
  charge_id text,
  provider_at timestamptz not null,
  received_at timestamptz not null,
  seen_at timestamptz
);
create index payment_events_received on payment_events (received_at);
create index payment_events_unseen on payment_events (received_at) where seen_at is null;
comment on table payment_events is 'Events of the payment provider, each once: they say only that a customer must be read.';
comment on column payment_events.charge_id is 'The charge that a dispute names instead of a customer.';
comment on column payment_events.seen_at is 'When a refresh of its customer began after it; null before that.';

create table billing_operations (
  id uuid primary key,
  organization_id uuid not null references organizations (id) on delete cascade,
  kind text not null check (kind in ('checkout', 'change', 'cancel', 'resume', 'end', 'customer')),
  request jsonb not null,
  actor_kind text not null,
  actor_id uuid,
  state text not null default 'started' check (state in ('started', 'done', 'refused')),
  provider_ref text,
  waits_until timestamptz,
  created_at timestamptz not null,
  finished_at timestamptz
);
create index billing_operations_organization on billing_operations (organization_id, created_at);
create index billing_operations_open on billing_operations (created_at) where state = 'started';
create index billing_operations_created on billing_operations (created_at);
comment on table billing_operations is 'Changes at the payment provider. The row is committed before the first call, whose idempotency key is its id.';
comment on column billing_operations.waits_until is 'Until when the rest of a change waits for a payment of its first part.';
comment on column billing_operations.request is 'What is to be reached at the provider, so that a repetition makes the same calls.';

-- What becomes of an organization becomes known to the provider, whoever changed it: the operation is committed with the
-- change. An organization that never paid has no account.
create function begin_billing_operation(organization uuid, what text) returns void language sql as $$
  insert into billing_operations (id, organization_id, kind, request, actor_kind, created_at)
  select gen_random_uuid(), organization_id, what, '{}', 'payments', service_now()
    from billing_accounts where organization_id = organization and customer_id is not null
$$;

create function follow_organization() returns trigger language plpgsql as $$
begin
  if new.deleted_at is not null and old.deleted_at is null then
    perform begin_billing_operation(new.id, 'end');
  elsif new.name <> old.name then
    perform begin_billing_operation(new.id, 'customer');
  end if;
  if new.country is distinct from old.country then
    update billing_accounts set wanted = wanted + 1, due_at = service_now()
     where organization_id = new.id and checkout is not null;
  end if;
  return null;
end $$;
create trigger organizations_billed after update of deleted_at, name, country on organizations
  for each row execute function follow_organization();

create function follow_owner() returns trigger language plpgsql as $$
begin
  perform begin_billing_operation(new.organization_id, 'customer');
  return null;
end $$;
create trigger members_billed after insert or update of role on members
  for each row when (new.role = 'owner') execute function follow_owner();
