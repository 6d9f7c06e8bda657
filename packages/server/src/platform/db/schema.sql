-- Generated from a migrated database by: npm run generate

create extension btree_gin;

create extension pg_trgm;

create table account_links (
  user_id uuid not null,
  kind text not null,
  organization_id uuid,
  token_hash bytea not null,
  expires_at timestamp with time zone not null,
  constraint account_links_pkey PRIMARY KEY (user_id, kind),
  constraint account_links_token_hash_key UNIQUE (token_hash),
  constraint account_links_kind_check CHECK ((kind = ANY (ARRAY['reset'::text, 'verify'::text, 'welcome'::text]))),
  constraint account_links_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint account_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX account_links_expiry ON account_links USING btree (expires_at);
CREATE INDEX account_links_organization ON account_links USING btree (organization_id) WHERE (organization_id IS NOT NULL);
comment on column account_links.organization_id is 'The organization that a code of the console signs in to.';

create table activity_log (
  id bigint generated always as identity not null,
  organization_id uuid not null,
  at timestamp with time zone not null,
  actor_kind text not null,
  actor_id text,
  action text not null,
  subject text,
  details jsonb default '{}'::jsonb not null,
  ip text,
  request_id text,
  user_agent text,
  constraint activity_log_pkey PRIMARY KEY (id),
  constraint activity_log_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX activity_log_at ON activity_log USING btree (at);
CREATE INDEX activity_log_email ON activity_log USING btree (lower((details ->> 'email'::text))) WHERE ((details ->> 'email'::text) IS NOT NULL);
CREATE INDEX activity_log_organization ON activity_log USING btree (organization_id, id);
CREATE TRIGGER activity_log_kept BEFORE DELETE OR UPDATE ON activity_log FOR EACH ROW EXECUTE FUNCTION keep_activity();
comment on column activity_log.user_agent is 'Product and system as read from the User-Agent header, never the header itself.';
comment on table activity_log is 'Append-only. Each row is written in the transaction of the change that it records.';

create table agenda_jobs (
  id uuid default gen_random_uuid() not null,
  name character varying(255) not null,
  priority integer default 0 not null,
  next_run_at timestamp with time zone,
  type character varying(10) default 'normal'::character varying not null,
  locked_at timestamp with time zone,
  last_finished_at timestamp with time zone,
  failed_at timestamp with time zone,
  fail_count integer,
  fail_reason text,
  repeat_timezone character varying(100),
  last_run_at timestamp with time zone,
  repeat_interval character varying(255),
  data jsonb default '{}'::jsonb,
  repeat_at character varying(255),
  disabled boolean default false,
  progress real,
  fork boolean default false,
  last_modified_by character varying(255),
  debounce_started_at timestamp with time zone,
  start_date timestamp with time zone,
  end_date timestamp with time zone,
  skip_days jsonb,
  created_at timestamp with time zone default now(),
  updated_at timestamp with time zone default now(),
  constraint agenda_jobs_pkey PRIMARY KEY (id),
  constraint agenda_jobs_type_check CHECK (((type)::text = ANY ((ARRAY['normal'::character varying, 'single'::character varying])::text[])))
);
CREATE INDEX agenda_jobs_find_and_lock_idx ON agenda_jobs USING btree (name, next_run_at, priority DESC, locked_at, disabled) WHERE (disabled = false);
CREATE INDEX agenda_jobs_locked_at_idx ON agenda_jobs USING btree (locked_at) WHERE (locked_at IS NOT NULL);
CREATE INDEX agenda_jobs_next_run_at_idx ON agenda_jobs USING btree (next_run_at) WHERE (next_run_at IS NOT NULL);
CREATE UNIQUE INDEX agenda_jobs_single_job_idx ON agenda_jobs USING btree (name) WHERE ((type)::text = 'single'::text);
CREATE TRIGGER agenda_jobs_updated_at_trigger BEFORE UPDATE ON agenda_jobs FOR EACH ROW EXECUTE FUNCTION update_agenda_jobs_updated_at();

create table ai_usage (
  organization_id uuid not null,
  period text not null,
  reserved_micro_usd bigint default 0 not null,
  used_micro_usd bigint default 0 not null,
  calls bigint default 0 not null,
  constraint ai_usage_pkey PRIMARY KEY (organization_id, period),
  constraint ai_usage_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
) with (fillfactor=70);

create table api_keys (
  key_hash bytea not null,
  organization_id uuid not null,
  container_id uuid,
  preview text not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  constraint api_keys_pkey PRIMARY KEY (key_hash),
  constraint api_keys_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX api_keys_account ON api_keys USING btree (organization_id) WHERE (container_id IS NULL);
CREATE UNIQUE INDEX api_keys_number ON api_keys USING btree (container_id) WHERE (container_id IS NOT NULL);
CREATE TRIGGER api_keys_revoked AFTER DELETE OR UPDATE OF key_hash ON api_keys FOR EACH STATEMENT EXECUTE FUNCTION signal_credentials();
comment on column api_keys.container_id is 'The number of the key; null for the account key of the organization.';
comment on column api_keys.last_used_at is 'Written at most once a minute.';

create table attempt_windows (
  bucket text not null,
  attempts integer not null,
  ends_at timestamp with time zone not null,
  constraint attempt_windows_pkey PRIMARY KEY (bucket)
) with (fillfactor=70);
CREATE INDEX attempt_windows_end ON attempt_windows USING btree (ends_at);
comment on table attempt_windows is 'Attempts in a window that begins with the first one: sign-ins and sign-ups by address, wrong passwords by e-mail.';

create table billing_accounts (
  organization_id uuid not null,
  customer_id text,
  currency text not null,
  subscription_id text,
  status text default 'none'::text not null,
  period text,
  items jsonb default '[]'::jsonb not null,
  amount bigint,
  credit bigint default 0 not null,
  current_period_start timestamp with time zone,
  current_period_end timestamp with time zone,
  cancel_at_period_end boolean default false not null,
  ends_at timestamp with time zone,
  past_due_since timestamp with time zone,
  grace_ends_at timestamp with time zone,
  pending jsonb,
  open_invoice jsonb,
  card jsonb,
  checkout jsonb,
  wanted bigint default 0 not null,
  seen bigint default 0 not null,
  due_at timestamp with time zone,
  refreshed_at timestamp with time zone,
  lease_until timestamp with time zone,
  lease_token uuid,
  livemode boolean not null,
  created_at timestamp with time zone not null,
  constraint billing_accounts_pkey PRIMARY KEY (organization_id),
  constraint billing_accounts_customer_id_key UNIQUE (customer_id),
  constraint billing_accounts_period_check CHECK ((period = ANY (ARRAY['month'::text, 'year'::text]))),
  constraint billing_accounts_status_check CHECK ((status = ANY (ARRAY['none'::text, 'incomplete'::text, 'active'::text, 'past_due'::text, 'unpaid'::text, 'ended'::text]))),
  constraint billing_accounts_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX billing_accounts_due ON billing_accounts USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX billing_accounts_grace ON billing_accounts USING btree (grace_ends_at) WHERE (status = 'past_due'::text);
comment on column billing_accounts.due_at is 'When the provider is read next; null while nothing is expected of it.';
comment on column billing_accounts.items is 'The items of the subscription: [{item, quantity}], the item a product or extra_numbers.';
comment on column billing_accounts.lease_token is 'The call that works with the provider for this organization, until lease_until.';
comment on column billing_accounts.seen is 'How many of these the last refresh has seen.';
comment on column billing_accounts.wanted is 'How often a refresh was wanted, by an event for example.';
comment on table billing_accounts is 'What the payment provider says about an organization, as it was read last. Amounts are in the smallest unit of the currency.';

create table billing_invoices (
  id uuid not null,
  organization_id uuid not null,
  provider_id text not null,
  number text,
  status text not null,
  currency text not null,
  subtotal bigint not null,
  tax bigint not null,
  total bigint not null,
  paid bigint not null,
  refunded bigint default 0 not null,
  disputed boolean default false not null,
  created_at timestamp with time zone not null,
  paid_at timestamp with time zone,
  failed_at timestamp with time zone,
  period_start timestamp with time zone not null,
  period_end timestamp with time zone not null,
  pay_url text,
  lines jsonb not null,
  receipt_mailed_at timestamp with time zone,
  failure_mailed_at timestamp with time zone,
  constraint billing_invoices_pkey PRIMARY KEY (id),
  constraint billing_invoices_provider_id_key UNIQUE (provider_id),
  constraint billing_invoices_status_check CHECK ((status = ANY (ARRAY['open'::text, 'paid'::text, 'void'::text, 'uncollectible'::text]))),
  constraint billing_invoices_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX billing_invoices_organization ON billing_invoices USING btree (organization_id, created_at, id);
comment on column billing_invoices.failed_at is 'When a payment of it was first seen to have failed.';
comment on table billing_invoices is 'The invoices of the payment provider. Amounts are in the smallest unit of the currency.';

create table billing_operations (
  id uuid not null,
  organization_id uuid not null,
  kind text not null,
  request jsonb not null,
  actor_kind text not null,
  actor_id uuid,
  state text default 'started'::text not null,
  provider_ref text,
  waits_until timestamp with time zone,
  created_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  constraint billing_operations_pkey PRIMARY KEY (id),
  constraint billing_operations_kind_check CHECK ((kind = ANY (ARRAY['checkout'::text, 'change'::text, 'cancel'::text, 'resume'::text, 'end'::text, 'customer'::text]))),
  constraint billing_operations_state_check CHECK ((state = ANY (ARRAY['started'::text, 'done'::text, 'refused'::text]))),
  constraint billing_operations_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX billing_operations_created ON billing_operations USING btree (created_at);
CREATE INDEX billing_operations_open ON billing_operations USING btree (created_at) WHERE (state = 'started'::text);
CREATE INDEX billing_operations_organization ON billing_operations USING btree (organization_id, created_at);
comment on column billing_operations.request is 'What is to be reached at the provider, so that a repetition makes the same calls.';
comment on column billing_operations.waits_until is 'Until when the rest of a change waits for a payment of its first part.';
comment on table billing_operations is 'Changes at the payment provider. The row is committed before the first call, whose idempotency key is its id.';

create table bot_answers (
  id uuid not null,
  bot_id uuid not null,
  organization_id uuid not null,
  answer text not null,
  lang text not null,
  enabled boolean not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint bot_answers_pkey PRIMARY KEY (id),
  constraint bot_answers_bot_id_fkey FOREIGN KEY (bot_id) REFERENCES bots(id) ON DELETE CASCADE
);
CREATE INDEX bot_answers_bot ON bot_answers USING btree (bot_id, created_at, id);

create table bot_conversations (
  id uuid not null,
  bot_id uuid not null,
  organization_id uuid not null,
  container_id uuid not null,
  contact_id uuid not null,
  lang text not null,
  state text default 'assistant'::text not null,
  person_until timestamp with time zone,
  greeted boolean default false not null,
  failures integer default 0 not null,
  choices jsonb default '[]'::jsonb not null,
  away_said_at timestamp with time zone,
  said_at jsonb default '[]'::jsonb not null,
  steps_at jsonb default '[]'::jsonb not null,
  draft jsonb,
  due_at timestamp with time zone,
  waiting_since timestamp with time zone,
  attempts integer default 0 not null,
  lease_token uuid,
  started_at timestamp with time zone not null,
  last_at timestamp with time zone not null,
  closed_at timestamp with time zone,
  constraint bot_conversations_pkey PRIMARY KEY (id),
  constraint bot_conversations_state_check CHECK ((state = ANY (ARRAY['assistant'::text, 'person'::text]))),
  constraint bot_conversations_bot_id_fkey FOREIGN KEY (bot_id) REFERENCES bots(id) ON DELETE CASCADE
) with (fillfactor=70);
CREATE INDEX bot_conversations_closed ON bot_conversations USING btree (closed_at) WHERE (closed_at IS NOT NULL);
CREATE INDEX bot_conversations_contact ON bot_conversations USING btree (organization_id, contact_id);
CREATE INDEX bot_conversations_due ON bot_conversations USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX bot_conversations_listed ON bot_conversations USING btree (bot_id, last_at DESC, id DESC);
CREATE UNIQUE INDEX bot_conversations_open ON bot_conversations USING btree (bot_id, container_id, contact_id) WHERE (closed_at IS NULL);
comment on column bot_conversations.attempts is 'Claims since the last turn. After three, the conversation is left to a person.';
comment on column bot_conversations.lease_token is 'The fencing token of the process that takes the turn: only it writes what follows.';
comment on column bot_conversations.person_until is 'Null with state person: until it is given back, or ends.';
comment on column bot_conversations.said_at is 'When it answered within the last hour, in milliseconds; steps_at the same for steps of an order.';

create table bot_inbox (
  id bigint generated always as identity not null,
  conversation_id uuid not null,
  organization_id uuid not null,
  text text not null,
  is_place boolean default false not null,
  written_at timestamp with time zone not null,
  received_at timestamp with time zone not null,
  constraint bot_inbox_pkey PRIMARY KEY (id),
  constraint bot_inbox_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES bot_conversations(id) ON DELETE CASCADE
);
CREATE INDEX bot_inbox_conversation ON bot_inbox USING btree (conversation_id, id);

create table bot_numbers (
  bot_id uuid not null,
  container_id uuid not null,
  organization_id uuid not null,
  active boolean default false not null,
  place integer not null,
  constraint bot_numbers_pkey PRIMARY KEY (bot_id, container_id),
  constraint bot_numbers_bot_id_fkey FOREIGN KEY (bot_id) REFERENCES bots(id) ON DELETE CASCADE,
  constraint bot_numbers_container_id_fkey FOREIGN KEY (container_id) REFERENCES numbers(id) ON DELETE CASCADE
);
CREATE INDEX bot_numbers_number ON bot_numbers USING btree (container_id);
CREATE UNIQUE INDEX bot_numbers_active ON bot_numbers USING btree (container_id) WHERE active;

create table bot_order_lines (
  order_id uuid not null,
  place integer not null,
  organization_id uuid not null,
  product_id uuid not null,
  name text not null,
  price bigint not null,
  quantity integer not null,
  constraint bot_order_lines_pkey PRIMARY KEY (order_id, place),
  constraint bot_order_lines_quantity_check CHECK ((quantity > 0)),
  constraint bot_order_lines_order_id_fkey FOREIGN KEY (order_id) REFERENCES bot_orders(id) ON DELETE CASCADE
);

create table bot_order_phones (
  bot_id uuid not null,
  phone text not null,
  organization_id uuid not null,
  name text,
  created_at timestamp with time zone not null,
  constraint bot_order_phones_pkey PRIMARY KEY (bot_id, phone),
  constraint bot_order_phones_bot_id_fkey FOREIGN KEY (bot_id) REFERENCES bots(id) ON DELETE CASCADE
);
CREATE INDEX bot_order_phones_phone ON bot_order_phones USING btree (organization_id, phone);

create table bot_orders (
  id uuid not null,
  bot_id uuid not null,
  organization_id uuid not null,
  conversation_id uuid not null,
  container_id uuid not null,
  contact_id uuid not null,
  number bigint not null,
  status text not null,
  delivery_fee bigint not null,
  total bigint not null,
  currency text not null,
  name text,
  address text,
  note text,
  history jsonb not null,
  placed_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint bot_orders_pkey PRIMARY KEY (id),
  constraint bot_orders_status_check CHECK ((status = ANY (ARRAY['placed'::text, 'confirmed'::text, 'shipped'::text, 'delivered'::text, 'cancelled'::text, 'refused'::text]))),
  constraint bot_orders_bot_id_fkey FOREIGN KEY (bot_id) REFERENCES bots(id) ON DELETE CASCADE
);
CREATE INDEX bot_orders_contact ON bot_orders USING btree (organization_id, contact_id);
CREATE INDEX bot_orders_listed ON bot_orders USING btree (bot_id, number DESC);
CREATE UNIQUE INDEX bot_orders_number ON bot_orders USING btree (organization_id, number);

create table bot_products (
  id uuid not null,
  bot_id uuid not null,
  organization_id uuid not null,
  sku text,
  name text not null,
  description text not null,
  price bigint not null,
  stock integer,
  available boolean not null,
  position integer not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint bot_products_pkey PRIMARY KEY (id),
  constraint bot_products_price_check CHECK ((price >= 0)),
  constraint bot_products_stock_check CHECK ((stock >= 0)),
  constraint bot_products_bot_id_fkey FOREIGN KEY (bot_id) REFERENCES bots(id) ON DELETE CASCADE
);
CREATE INDEX bot_products_menu ON bot_products USING btree (bot_id, "position", id);
CREATE UNIQUE INDEX bot_products_sku ON bot_products USING btree (bot_id, sku);
comment on column bot_products.price is 'In the smallest unit of the currency of the shop, like all amounts of orders.';

create table bot_questions (
  answer_id uuid not null,
  place integer not null,
  bot_id uuid not null,
  organization_id uuid not null,
  lang text not null,
  text text not null,
  asked text not null,
  stems text[] not null,
  constraint bot_questions_pkey PRIMARY KEY (answer_id, place),
  constraint bot_questions_answer_id_fkey FOREIGN KEY (answer_id) REFERENCES bot_answers(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX bot_questions_asked ON bot_questions USING btree (bot_id, lang, asked);
comment on column bot_questions.asked is 'The text without case and punctuation: no two answers of one language share it.';

create table bot_reviews (
  id uuid not null,
  bot_id uuid not null,
  organization_id uuid not null,
  conversation_id uuid not null,
  question text not null,
  lang text,
  reason text,
  status text default 'open'::text not null,
  answer text,
  created_at timestamp with time zone not null,
  resolved_at timestamp with time zone,
  constraint bot_reviews_pkey PRIMARY KEY (id),
  constraint bot_reviews_status_check CHECK ((status = ANY (ARRAY['open'::text, 'resolved'::text, 'dismissed'::text]))),
  constraint bot_reviews_bot_id_fkey FOREIGN KEY (bot_id) REFERENCES bots(id) ON DELETE CASCADE,
  constraint bot_reviews_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES bot_conversations(id) ON DELETE CASCADE
);
CREATE INDEX bot_reviews_conversation ON bot_reviews USING btree (conversation_id);
CREATE INDEX bot_reviews_listed ON bot_reviews USING btree (bot_id, created_at DESC, id DESC);

create table bot_turns (
  id bigint generated always as identity not null,
  conversation_id uuid not null,
  organization_id uuid not null,
  at timestamp with time zone not null,
  question text not null,
  kind text not null,
  said text,
  answer_id uuid,
  score double precision,
  message_id uuid,
  constraint bot_turns_pkey PRIMARY KEY (id),
  constraint bot_turns_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES bot_conversations(id) ON DELETE CASCADE
);
CREATE INDEX bot_turns_age ON bot_turns USING brin (at);
CREATE INDEX bot_turns_conversation ON bot_turns USING btree (conversation_id, id);
CREATE INDEX bot_turns_counted ON bot_turns USING btree (organization_id, at) INCLUDE (kind);

create table bot_voice_notes (
  id bigint generated always as identity not null,
  organization_id uuid not null,
  container_id uuid not null,
  arrival jsonb not null,
  due_at timestamp with time zone not null,
  attempts integer default 0 not null,
  received_at timestamp with time zone not null,
  constraint bot_voice_notes_pkey PRIMARY KEY (id),
  constraint bot_voice_notes_container_id_fkey FOREIGN KEY (container_id) REFERENCES numbers(id) ON DELETE CASCADE
);
CREATE INDEX bot_voice_notes_due ON bot_voice_notes USING btree (due_at);

create table bots (
  id uuid not null,
  organization_id uuid not null,
  name text not null,
  status text default 'draft'::text not null,
  languages text[] not null,
  texts jsonb not null,
  instructions text not null,
  hours jsonb,
  outside_hours text not null,
  person_words text[] not null,
  human_pause_minutes integer not null,
  shop jsonb,
  knowledge_version bigint default 0 not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint bots_pkey PRIMARY KEY (id),
  constraint bots_outside_hours_check CHECK ((outside_hours = ANY (ARRAY['answer'::text, 'away'::text]))),
  constraint bots_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'active'::text, 'paused'::text]))),
  constraint bots_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX bots_organization ON bots USING btree (organization_id, created_at, id);
comment on column bots.knowledge_version is 'Raised by each change of the answers: processes keep an index of one version in memory.';
comment on column bots.shop is 'Amounts are in the smallest unit of the currency.';

create table campaign_count_changes (
  campaign_id uuid not null,
  organization_id uuid not null,
  sent bigint not null,
  delivered bigint not null,
  failed bigint not null,
  read bigint not null
) with (autovacuum_vacuum_scale_factor=0.05, autovacuum_vacuum_insert_scale_factor=0.1);
CREATE INDEX campaign_count_changes_campaign ON campaign_count_changes USING btree (campaign_id);

create table campaign_counts (
  campaign_id uuid not null,
  organization_id uuid not null,
  sent bigint not null,
  delivered bigint not null,
  failed bigint not null,
  read bigint not null,
  constraint campaign_counts_pkey PRIMARY KEY (campaign_id),
  constraint campaign_counts_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES campaigns(id) ON DELETE CASCADE
) with (fillfactor=50);

create unlogged table campaign_ends (
  campaign_id uuid not null,
  constraint campaign_ends_appended TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint campaign_ends_pkey PRIMARY KEY (campaign_id)
);
CREATE CONSTRAINT TRIGGER campaign_ends_appended AFTER INSERT ON campaign_ends DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION append_campaign_ends();

create table campaign_pacing (
  organization_id uuid not null,
  next_send_at timestamp with time zone not null,
  constraint campaign_pacing_pkey PRIMARY KEY (organization_id),
  constraint campaign_pacing_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
) with (fillfactor=50);
comment on table campaign_pacing is 'The pace of all campaigns of an organization together, over all of its numbers: no message leaves before next_send_at.';

create table campaign_recipients (
  campaign_id uuid not null,
  organization_id uuid not null,
  position integer not null,
  phone text not null,
  variables jsonb not null,
  constraint campaign_recipients_pkey PRIMARY KEY (campaign_id, "position"),
  constraint campaign_recipients_campaign_id_fkey FOREIGN KEY (campaign_id) REFERENCES campaigns(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX campaign_recipients_phone ON campaign_recipients USING btree (campaign_id, phone);

create table campaigns (
  id uuid not null,
  organization_id uuid not null,
  container_id uuid,
  name text not null,
  template text not null,
  status text not null,
  total integer not null,
  scheduled_at timestamp with time zone,
  start_error text,
  start_tried_at timestamp with time zone,
  start_failing_since timestamp with time zone,
  any_hour boolean default false not null,
  pause_reason text,
  created_at timestamp with time zone not null,
  started_at timestamp with time zone,
  completed_at timestamp with time zone,
  client_reference text,
  constraint campaigns_pkey PRIMARY KEY (id),
  constraint campaigns_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'scheduled'::text, 'sending'::text, 'paused'::text, 'completed'::text, 'cancelled'::text]))),
  constraint campaigns_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
) with (fillfactor=80);
CREATE INDEX campaigns_number ON campaigns USING btree (container_id) WHERE (container_id IS NOT NULL);
CREATE INDEX campaigns_organization ON campaigns USING btree (organization_id, created_at, id);
CREATE INDEX campaigns_scheduled ON campaigns USING btree (scheduled_at) WHERE (status = 'scheduled'::text);
CREATE INDEX campaigns_sending ON campaigns USING btree (id) WHERE (status = ANY (ARRAY['sending'::text, 'cancelled'::text]));
CREATE INDEX campaigns_unstarted ON campaigns USING btree (organization_id) INCLUDE (total) WHERE (started_at IS NULL);
CREATE TRIGGER campaigns_ended AFTER UPDATE OF status ON campaigns FOR EACH ROW WHEN (((old.status = 'sending'::text) AND (new.status = 'completed'::text))) EXECUTE FUNCTION note_campaign_end();
comment on column campaigns.client_reference is 'The reference of the caller, which the messages carry.';
comment on column campaigns.container_id is 'The number that the campaign is bound to. No reference: it stays bound when the number is removed, and its start then fails.';
comment on column campaigns.start_tried_at is 'The last attempt of a scheduled start that failed.';

create table change_limits (
  organization_id uuid not null,
  tat timestamp with time zone not null,
  constraint change_limits_pkey PRIMARY KEY (organization_id)
) with (fillfactor=70);
comment on column change_limits.tat is 'Theoretical arrival time of the rate limit (GCRA): when the whole quota is available again.';

create table chat_changes (
  id bigint generated always as identity not null,
  organization_id uuid not null,
  container_id uuid not null,
  message_id uuid,
  contact_id uuid,
  constraint chat_changes_pkey PRIMARY KEY (id)
);
CREATE INDEX chat_changes_container ON chat_changes USING btree (container_id, id);
comment on table chat_changes is 'What the chats still lack: a message that was sent or revoked, or a contact whose messages were deleted.';

create table chat_messages (
  id uuid not null,
  organization_id uuid not null,
  container_id uuid not null,
  contact_id uuid,
  direction text not null,
  network_id text,
  at timestamp with time zone not null,
  ours boolean default false not null,
  imported boolean default false not null,
  type text not null,
  text text not null,
  attachment text,
  unread boolean default false not null,
  edited_at timestamp with time zone,
  revoked_at timestamp with time zone,
  network_ref jsonb,
  file jsonb,
  constraint chat_messages_pkey PRIMARY KEY (id),
  constraint chat_messages_direction_check CHECK ((direction = ANY (ARRAY['in'::text, 'out'::text])))
) with (fillfactor=90, autovacuum_analyze_scale_factor=0.02, autovacuum_vacuum_scale_factor=0.05);
CREATE INDEX chat_messages_received ON chat_messages USING btree (container_id, at DESC, id DESC) WHERE ((direction = 'in'::text) AND (contact_id IS NOT NULL));
CREATE INDEX chat_messages_thread ON chat_messages USING btree (container_id, contact_id, at DESC, id DESC) WHERE (contact_id IS NOT NULL);
CREATE INDEX chat_messages_unread ON chat_messages USING btree (container_id, at, id) WHERE unread;
CREATE INDEX chat_messages_unread_contact ON chat_messages USING btree (contact_id) WHERE unread;
CREATE UNIQUE INDEX chat_messages_network ON chat_messages USING btree (container_id, network_id);
comment on column chat_messages.contact_id is 'Null for a message of a group: it belongs to no conversation with one person.';
comment on column chat_messages.file is 'Type, name and size of the file of the message, as its sender named them.';
comment on column chat_messages.imported is 'Read from the history on the network, which may still report the message as new.';
comment on column chat_messages.network_ref is 'What the driver needs to fetch the file of the message.';
comment on column chat_messages.ours is 'The service sent it: all about it is in the row of messages with the same id.';

create table chats (
  container_id uuid not null,
  contact_id uuid not null,
  organization_id uuid not null,
  last_at timestamp with time zone not null,
  unread integer default 0 not null,
  constraint chats_pkey PRIMARY KEY (container_id, contact_id)
) with (fillfactor=70);
CREATE INDEX chats_contact ON chats USING btree (contact_id);
CREATE INDEX chats_newest ON chats USING btree (container_id, last_at DESC, contact_id DESC);
CREATE INDEX chats_unread ON chats USING btree (container_id, last_at DESC, contact_id DESC) WHERE (unread > 0);
comment on column chats.unread is 'The number of rows in chat_messages that are unread.';

create table contacts (
  id uuid not null,
  organization_id uuid not null,
  phone text,
  lid text,
  saved_name text,
  network_name text,
  saved_in uuid[] default '{}'::uuid[] not null,
  known_to uuid[] default '{}'::uuid[] not null,
  opted_out boolean default false not null,
  opted_at timestamp with time zone,
  created_at timestamp with time zone not null,
  search_text text generated always as (lower(((((((COALESCE(saved_name, ''::text) || chr(30)) || COALESCE(network_name, ''::text)) || chr(30)) || COALESCE(phone, ''::text)) || chr(30)) || split_part(COALESCE(lid, ''::text), '@'::text, 1)))) stored not null,
  constraint contacts_pkey PRIMARY KEY (id),
  constraint contacts_check CHECK (((phone IS NOT NULL) OR (lid IS NOT NULL)))
) with (fillfactor=80);
CREATE INDEX contacts_opted_out ON contacts USING btree (organization_id, opted_at DESC, id) WHERE opted_out;
CREATE INDEX contacts_order ON contacts USING btree (organization_id, ((saved_in = '{}'::uuid[])), COALESCE(saved_name, network_name), phone, id);
CREATE INDEX contacts_text ON contacts USING gin (organization_id, search_text gin_trgm_ops);
CREATE INDEX contacts_unknown ON contacts USING btree (organization_id) WHERE (known_to = '{}'::uuid[]);
CREATE UNIQUE INDEX contacts_lid ON contacts USING btree (organization_id, lid);
CREATE UNIQUE INDEX contacts_phone ON contacts USING btree (organization_id, phone);
comment on column contacts.known_to is 'The numbers that have met the person.';
comment on column contacts.lid is 'The hidden id of the person on the network.';
comment on column contacts.network_name is 'The name that the person shows on the network.';
comment on column contacts.opted_at is 'When opted_out was last decided. A keyword that was written earlier, and arrives later, decides nothing.';
comment on column contacts.saved_in is 'The numbers whose address books have the person.';
comment on column contacts.saved_name is 'The name in the address book of a number.';

create table database_identity (
  only_row boolean default true not null,
  identity text not null,
  timeline text not null,
  constraint database_identity_pkey PRIMARY KEY (only_row),
  constraint database_identity_only_row_check CHECK (only_row)
);
comment on table database_identity is 'No process serves a database whose row is not its own, until the operator has answered with msgctl-server after-restore.';

create table erasures (
  organization_id uuid not null,
  name_hash bytea not null,
  deleted_at timestamp with time zone not null,
  erased_at timestamp with time zone not null,
  constraint erasures_pkey PRIMARY KEY (organization_id)
);

create table event_positions (
  organization_id uuid not null,
  last_position bigint not null,
  constraint event_positions_pkey PRIMARY KEY (organization_id)
) with (fillfactor=50);

create unlogged table event_streams (
  id uuid not null,
  organization_id uuid not null,
  kind text not null,
  until timestamp with time zone not null,
  constraint event_streams_pkey PRIMARY KEY (id),
  constraint event_streams_kind_check CHECK ((kind = ANY (ARRAY['events'::text, 'overview'::text])))
);
CREATE INDEX event_streams_organization ON event_streams USING btree (organization_id);
comment on table event_streams is 'Leases of the open streams of all processes, to limit them by organization and kind. A process renews its own, also after a crash of the database emptied the table.';

create table events (
  id uuid not null,
  organization_id uuid not null,
  position bigint not null,
  event text not null,
  data jsonb not null,
  message_id uuid,
  created_at timestamp with time zone not null,
  sample boolean default false not null,
  constraint events_pkey PRIMARY KEY (id),
  constraint events_organization_id_position_key UNIQUE (organization_id, "position")
) with (autovacuum_vacuum_scale_factor=0.02);
CREATE INDEX events_age ON events USING btree (created_at);
CREATE INDEX events_campaign ON events USING btree (organization_id, ((data ->> 'campaignId'::text)), "position") WHERE ((data ->> 'campaignId'::text) IS NOT NULL);
CREATE INDEX events_container ON events USING btree (organization_id, ((data ->> 'containerId'::text)), "position");
CREATE INDEX events_kind ON events USING btree (organization_id, event, id) WHERE (event <> ALL (ARRAY['message.inbound'::text, 'message.sent'::text, 'message.delivered'::text, 'message.read'::text]));
CREATE INDEX events_message ON events USING btree (message_id) WHERE (message_id IS NOT NULL);
CREATE INDEX events_reference ON events USING btree (organization_id, ((data ->> 'clientReference'::text)), "position") WHERE ((data ->> 'clientReference'::text) IS NOT NULL);
comment on column events.sample is 'Made by POST /me/webhook/test: delivered with X-Service-Sample, in no list and no stream.';

create table gateway_history (
  container_id uuid not null,
  chat text collate "C" not null,
  network_id text collate "C" not null,
  body jsonb not null,
  at timestamp with time zone not null,
  constraint gateway_history_pkey PRIMARY KEY (container_id, chat, network_id),
  constraint gateway_history_container_id_fkey FOREIGN KEY (container_id) REFERENCES gateway_sessions(container_id) ON DELETE CASCADE
);
CREATE INDEX gateway_history_age ON gateway_history USING btree (at);

create table gateway_hosts (
  id uuid not null,
  url text not null,
  version text not null,
  capacity integer not null,
  draining boolean default false not null,
  started_at timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  web_version text,
  constraint gateway_hosts_pkey PRIMARY KEY (id)
);
comment on column gateway_hosts.web_version is 'The version that the host claims to be by its settings; null: the stored one.';
comment on table gateway_hosts is 'Processes that hold connections. Each renews seen_at together with its leases.';

create table gateway_inbox (
  id bigint generated always as identity not null,
  driver text not null,
  host text not null,
  event_id text not null,
  container_id uuid not null,
  organization_id uuid not null,
  body bytea not null,
  received_at timestamp with time zone default service_now() not null,
  attempts integer default 0 not null,
  due_at timestamp with time zone default service_now() not null,
  set_aside_at timestamp with time zone,
  constraint gateway_inbox_pkey PRIMARY KEY (id)
) with (autovacuum_vacuum_scale_factor=0.05, autovacuum_analyze_scale_factor=0.05);
CREATE INDEX gateway_inbox_postponed ON gateway_inbox USING btree (driver, container_id) WHERE ((set_aside_at IS NULL) AND (attempts > 0));
CREATE INDEX gateway_inbox_set_aside ON gateway_inbox USING btree (set_aside_at) WHERE (set_aside_at IS NOT NULL);
CREATE INDEX gateway_inbox_waiting ON gateway_inbox USING btree (driver, id) WHERE (set_aside_at IS NULL);
CREATE UNIQUE INDEX gateway_inbox_event ON gateway_inbox USING btree (driver, host, event_id);
comment on column gateway_inbox.body is 'The report as it arrived. The driver translates it when it is handed out.';
comment on column gateway_inbox.due_at is 'When a report that could not be handled is tried again.';
comment on column gateway_inbox.event_id is 'The id of the report at its host: a repeat has the same.';
comment on column gateway_inbox.set_aside_at is 'Since when the report is not tried any more.';

create table gateway_keys (
  container_id uuid not null,
  kind smallint not null,
  id text collate "C" not null,
  value bytea not null,
  constraint gateway_keys_pkey PRIMARY KEY (container_id, kind, id),
  constraint gateway_keys_container_id_fkey FOREIGN KEY (container_id) REFERENCES gateway_sessions(container_id) ON DELETE CASCADE
) with (fillfactor=80, autovacuum_vacuum_scale_factor=0.05);
comment on column gateway_keys.kind is 'A number from the list in the gateway host; numbers are never used again.';

create table gateway_last_times (
  container_id uuid not null,
  organization_id uuid not null,
  last_ms bigint not null,
  constraint gateway_last_times_pkey PRIMARY KEY (container_id),
  constraint gateway_last_times_container_id_fkey FOREIGN KEY (container_id) REFERENCES numbers(id) ON DELETE CASCADE
) with (fillfactor=70);
comment on column gateway_last_times.last_ms is 'The time of the last message of the number, on the clock of the network. Messages of one second are ordered by it.';

create table gateway_sent (
  container_id uuid not null,
  network_id text collate "C" not null,
  chat text not null,
  message bytea not null,
  is_poll boolean default false not null,
  acked_at timestamp with time zone,
  delivered_at timestamp with time zone,
  created_at timestamp with time zone default statement_timestamp() not null,
  constraint gateway_sent_pkey PRIMARY KEY (container_id, network_id),
  constraint gateway_sent_container_id_fkey FOREIGN KEY (container_id) REFERENCES gateway_sessions(container_id) ON DELETE CASCADE
) with (fillfactor=80, autovacuum_vacuum_scale_factor=0.05);
CREATE INDEX gateway_sent_age ON gateway_sent USING btree (created_at);
comment on table gateway_sent is 'Messages as they were sent, for phones that request them again and for repeated sends. Deleted a day after delivery.';

create table gateway_sessions (
  container_id uuid not null,
  organization_id uuid not null,
  wanted text default 'stopped'::text not null,
  request text,
  host_id uuid,
  epoch bigint default 0 not null,
  lease_until timestamp with time zone default '1970-01-01 00:00:00+00'::timestamp with time zone not null,
  last_host_id uuid,
  sealed_key text,
  creds bytea,
  me jsonb,
  status text default 'STOPPED'::text not null,
  reason text,
  retry text,
  sequence bigint not null,
  state_at timestamp with time zone default statement_timestamp() not null,
  sealed_proxy text,
  linked_at timestamp with time zone,
  retired_at timestamp with time zone,
  retired_creds bytea,
  code integer,
  constraint gateway_sessions_pkey PRIMARY KEY (container_id),
  constraint gateway_sessions_request_check CHECK ((request = ANY (ARRAY['restart'::text, 'logout'::text, 'renew'::text]))),
  constraint gateway_sessions_wanted_check CHECK ((wanted = ANY (ARRAY['running'::text, 'stopped'::text])))
) with (fillfactor=80);
CREATE INDEX gateway_sessions_host ON gateway_sessions USING btree (host_id) WHERE (host_id IS NOT NULL);
CREATE INDEX gateway_sessions_retired ON gateway_sessions USING btree (retired_at) WHERE (retired_at IS NOT NULL);
CREATE INDEX gateway_sessions_unowned ON gateway_sessions USING btree (lease_until) WHERE ((wanted = 'running'::text) OR (request IS NOT NULL));
comment on column gateway_sessions.code is 'The code of the network for its reason, where it says more.';
comment on column gateway_sessions.epoch is 'Raised with every new owner. A commit names it, so that a process that lost its lease stores nothing.';
comment on column gateway_sessions.request is 'What the owner of the lease still has to do; any host takes the lease for it. renew: delete ratchets of a restored backup.';
comment on column gateway_sessions.retired_at is 'When the network ended the last link. Its keys have kinds from 1000 on in gateway_keys.';
comment on column gateway_sessions.retired_creds is 'The credentials of that link, encrypted as creds are.';
comment on column gateway_sessions.retry is 'When a failed number may be started again: a time, or never.';
comment on column gateway_sessions.sealed_key is 'The key of this number, encrypted with SECRETS_KEYS. It encrypts creds and the rows of gateway_keys and gateway_sent.';
comment on column gateway_sessions.sealed_proxy is 'The proxy through which the number connects, encrypted with SECRETS_KEYS; null: none.';

create table gateway_web_version (
  only_row boolean default true not null,
  version text,
  source text,
  known_at timestamp with time zone,
  tried_at timestamp with time zone,
  fault text,
  constraint gateway_web_version_pkey PRIMARY KEY (only_row),
  constraint gateway_web_version_check CHECK ((((version IS NULL) = (source IS NULL)) AND ((version IS NULL) = (known_at IS NULL)))),
  constraint gateway_web_version_only_row_check CHECK (only_row),
  constraint gateway_web_version_source_check CHECK ((source = ANY (ARRAY['fetched'::text, 'set'::text])))
);
comment on column gateway_web_version.fault is 'Why the last try failed; null after one that succeeded.';
comment on column gateway_web_version.known_at is 'When it was last known to be the present one.';
comment on column gateway_web_version.source is 'Whether the network named it, or the operator.';
comment on column gateway_web_version.tried_at is 'When it was last fetched, or tried to be.';
comment on table gateway_web_version is 'The version of the network''s own client. A gateway host reads it at each connection.';

create table guard_sends (
  id bigint generated always as identity not null,
  organization_id uuid not null,
  container_id uuid not null,
  at timestamp with time zone not null,
  message_id uuid not null,
  recipient text not null,
  opens boolean not null,
  refused_at timestamp with time zone,
  constraint guard_sends_pkey PRIMARY KEY (id)
);
CREATE INDEX guard_sends_age ON guard_sends USING brin (at);
CREATE INDEX guard_sends_number ON guard_sends USING btree (container_id, at) INCLUDE (opens);
CREATE INDEX guard_sends_opened ON guard_sends USING btree (container_id, recipient) WHERE opens;
CREATE INDEX guard_sends_refused ON guard_sends USING btree (container_id, refused_at) WHERE (refused_at IS NOT NULL);
comment on column guard_sends.opens is 'Whether it began a conversation with a new person.';
comment on column guard_sends.refused_at is 'When the network refused its recipient, while it let the account begin conversations.';

create table history_imports (
  container_id uuid not null,
  organization_id uuid not null,
  requested_at timestamp with time zone,
  due_at timestamp with time zone,
  reached_at timestamp with time zone,
  attempts integer default 0 not null,
  phone_busy_at timestamp with time zone,
  imported_at timestamp with time zone,
  constraint history_imports_pkey PRIMARY KEY (container_id)
);
CREATE INDEX history_imports_due ON history_imports USING btree (due_at) WHERE (requested_at IS NOT NULL);
CREATE INDEX history_imports_organization ON history_imports USING btree (organization_id);
comment on column history_imports.phone_busy_at is 'When the phone was last found to be handing the history over itself.';
comment on column history_imports.reached_at is 'Conversations that are later than this were read already.';
comment on column history_imports.requested_at is 'Set while the history shall be read, or is being read under the lease.';

create table idempotency_keys (
  organization_id uuid not null,
  credential text not null,
  route text not null,
  key text not null,
  request_hash bytea not null,
  message_id uuid,
  status integer,
  body json,
  created_at timestamp with time zone not null,
  constraint idempotency_keys_pkey PRIMARY KEY (organization_id, credential, route, key)
);
CREATE INDEX idempotency_keys_age ON idempotency_keys USING btree (created_at);
comment on column idempotency_keys.status is 'HTTP status of the stored response; null while the request runs, or when the response is derived from message_id.';

create table invitations (
  id uuid not null,
  organization_id uuid not null,
  email text not null,
  role text not null,
  token_hash bytea not null,
  delivery text not null,
  invited_by uuid,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  accepted_at timestamp with time zone,
  cancelled_at timestamp with time zone,
  constraint invitations_pkey PRIMARY KEY (id),
  constraint invitations_token_hash_key UNIQUE (token_hash),
  constraint invitations_delivery_check CHECK ((delivery = ANY (ARRAY['mail'::text, 'shown'::text]))),
  constraint invitations_role_check CHECK ((role = ANY (ARRAY['admin'::text, 'member'::text]))),
  constraint invitations_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint invitations_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX invitations_email ON invitations USING btree (lower(email));
CREATE INDEX invitations_expiry ON invitations USING btree (expires_at);
CREATE INDEX invitations_inviter ON invitations USING btree (invited_by);
CREATE INDEX invitations_sent ON invitations USING btree (organization_id, created_at);
CREATE UNIQUE INDEX invitations_open ON invitations USING btree (organization_id, lower(email)) WHERE ((accepted_at IS NULL) AND (cancelled_at IS NULL));
comment on column invitations.email is 'Empty once the invited person was erased.';
comment on column invitations.invited_by is 'Null once the inviter was erased; the invitation cannot be used then.';

create table lanes (
  container_id uuid not null,
  organization_id uuid not null,
  open boolean default false not null,
  guarded boolean,
  next_claim_at timestamp with time zone default 'infinity'::timestamp with time zone not null,
  next_send_at timestamp with time zone default '-infinity'::timestamp with time zone not null,
  next_campaign_send_at timestamp with time zone default '-infinity'::timestamp with time zone not null,
  constraint lanes_pkey PRIMARY KEY (container_id)
) with (fillfactor=70);
CREATE INDEX lanes_due ON lanes USING btree (next_claim_at) WHERE open;
comment on column lanes.guarded is 'Whether the guard rules hold for the number; null: only where GUARD turns them on for all.';
comment on column lanes.next_campaign_send_at is 'The pace lets no campaign message leave before this time.';
comment on column lanes.next_claim_at is 'When a dispatcher claims from the lane next.';
comment on column lanes.next_send_at is 'The pace lets no text leave before this time.';
comment on column lanes.open is 'Whether the number can send: it works and its queue is not held.';

create table mails (
  id uuid not null,
  organization_id uuid,
  to_email text not null,
  kind text not null,
  sealed_body text,
  created_at timestamp with time zone not null,
  due_at timestamp with time zone,
  attempts integer default 0 not null,
  lease_until timestamp with time zone,
  sent_at timestamp with time zone,
  failed_at timestamp with time zone,
  error text,
  constraint mails_pkey PRIMARY KEY (id),
  constraint mails_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX mails_created ON mails USING btree (created_at);
CREATE INDEX mails_due ON mails USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX mails_organization ON mails USING btree (organization_id);
CREATE INDEX mails_recipient ON mails USING btree (lower(to_email));
comment on column mails.due_at is 'Null once the mail was sent or given up.';

create table mcp_actions (
  id uuid not null,
  organization_id uuid not null,
  connection_id uuid,
  credential text not null,
  tool text not null,
  idempotency_key text not null,
  arguments_hash bytea not null,
  arguments_sealed text,
  reason text not null,
  summary text not null,
  state text not null,
  requested_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  decided_by uuid,
  decided_at timestamp with time zone,
  carried_out_by timestamp with time zone,
  result jsonb,
  constraint mcp_actions_pkey PRIMARY KEY (id),
  constraint mcp_actions_organization_id_credential_tool_idempotency_key_key UNIQUE (organization_id, credential, tool, idempotency_key),
  constraint mcp_actions_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'approved'::text, 'done'::text, 'failed'::text, 'denied'::text, 'expired'::text]))),
  constraint mcp_actions_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX mcp_actions_age ON mcp_actions USING btree (requested_at);
CREATE INDEX mcp_actions_open ON mcp_actions USING btree (expires_at) WHERE (state = ANY (ARRAY['pending'::text, 'approved'::text]));
CREATE INDEX mcp_actions_organization ON mcp_actions USING btree (organization_id, requested_at);
comment on column mcp_actions.arguments_sealed is 'The arguments, encrypted with SECRETS_KEYS; erased when the action has ended.';
comment on column mcp_actions.carried_out_by is 'Until when the process that carries out the approved action must be done; after it another one does, with the same key.';
comment on column mcp_actions.credential is 'Who called: account, number:<id> or connection:<id>.';

create table mcp_calls (
  id bigint generated always as identity not null,
  organization_id uuid not null,
  connection_id uuid,
  credential text not null,
  tool text not null,
  at timestamp with time zone not null,
  outcome text not null,
  code text,
  ms integer not null,
  phone text,
  constraint mcp_calls_pkey PRIMARY KEY (id),
  constraint mcp_calls_outcome_check CHECK ((outcome = ANY (ARRAY['ok'::text, 'waiting'::text, 'failed'::text]))),
  constraint mcp_calls_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX mcp_calls_at ON mcp_calls USING btree (at);
CREATE INDEX mcp_calls_organization ON mcp_calls USING btree (organization_id, id);

create table mcp_connections (
  id uuid not null,
  organization_id uuid not null,
  user_id uuid not null,
  client_id text not null,
  client_name text not null,
  client_host text,
  scopes text[] not null,
  container_id uuid,
  two_factor_at timestamp with time zone,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  revoked_at timestamp with time zone,
  reason text,
  constraint mcp_connections_pkey PRIMARY KEY (id),
  constraint mcp_connections_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint mcp_connections_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX mcp_connections_last ON mcp_connections USING btree (COALESCE(revoked_at, last_used_at, created_at));
CREATE INDEX mcp_connections_organization ON mcp_connections USING btree (organization_id, created_at);
CREATE INDEX mcp_connections_person ON mcp_connections USING btree (user_id);
comment on column mcp_connections.container_id is 'The only number it uses; null for all numbers of the organization.';
comment on column mcp_connections.two_factor_at is 'When the person who allowed it had made the second step; null for one step.';

create table mcp_read_texts (
  id bigint generated always as identity not null,
  organization_id uuid not null,
  credential text not null,
  person text not null,
  at timestamp with time zone not null,
  hashes bigint[] not null,
  constraint mcp_read_texts_pkey PRIMARY KEY (id),
  constraint mcp_read_texts_organization_id_credential_person_key UNIQUE (organization_id, credential, person),
  constraint mcp_read_texts_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX mcp_read_texts_at ON mcp_read_texts USING btree (at);

create table mcp_sends (
  id uuid not null,
  organization_id uuid not null,
  credential text not null,
  at timestamp with time zone not null,
  constraint mcp_sends_pkey PRIMARY KEY (id),
  constraint mcp_sends_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX mcp_sends_at ON mcp_sends USING btree (at);
CREATE INDEX mcp_sends_credential ON mcp_sends USING btree (organization_id, credential, at);

create table mcp_settings (
  organization_id uuid not null,
  enabled boolean not null,
  sends_per_hour integer not null,
  approve text not null,
  key_scopes text[] not null,
  constraint mcp_settings_pkey PRIMARY KEY (organization_id),
  constraint mcp_settings_approve_check CHECK ((approve = ANY (ARRAY['strangers'::text, 'all'::text]))),
  constraint mcp_settings_sends_per_hour_check CHECK (((sends_per_hour >= 0) AND (sends_per_hour <= 300))),
  constraint mcp_settings_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);

create table members (
  organization_id uuid not null,
  user_id uuid not null,
  role text not null,
  created_at timestamp with time zone not null,
  last_session_at timestamp with time zone,
  constraint members_pkey PRIMARY KEY (organization_id, user_id),
  constraint members_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'member'::text]))),
  constraint members_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint members_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX members_user ON members USING btree (user_id);
CREATE UNIQUE INDEX members_one_owner ON members USING btree (organization_id) WHERE (role = 'owner'::text);
CREATE TRIGGER members_billed AFTER INSERT OR UPDATE OF role ON members FOR EACH ROW WHEN ((new.role = 'owner'::text)) EXECUTE FUNCTION follow_owner();
CREATE TRIGGER members_removed AFTER DELETE ON members FOR EACH STATEMENT EXECUTE FUNCTION signal_credentials();

create table message_count_changes (
  organization_id uuid not null,
  hour timestamp with time zone not null,
  type text not null,
  queued bigint not null,
  sending bigint not null,
  sent bigint not null,
  delivered bigint not null,
  read bigint not null,
  failed bigint not null
) with (autovacuum_vacuum_scale_factor=0.05, autovacuum_vacuum_insert_scale_factor=0.1);
CREATE INDEX message_count_changes_organization ON message_count_changes USING btree (organization_id);
comment on table message_count_changes is 'Changes that are not rolled up yet; the figures may be negative.';

create table message_hours (
  organization_id uuid not null,
  hour timestamp with time zone not null,
  type text not null,
  queued bigint not null,
  sending bigint not null,
  sent bigint not null,
  delivered bigint not null,
  read bigint not null,
  failed bigint not null,
  constraint message_hours_pkey PRIMARY KEY (organization_id, hour, type)
) with (fillfactor=70);

create table message_places (
  organization_id uuid not null,
  container_id uuid,
  created_at timestamp with time zone not null,
  message_id uuid not null
);
CREATE INDEX message_places_newest ON message_places USING btree (organization_id, created_at DESC, message_id DESC);
CREATE INDEX message_places_number ON message_places USING btree (organization_id, container_id, created_at DESC, message_id DESC);
comment on table message_places is 'The order of the lists of messages: of all, and of each number.';

create table message_text_changes (
  organization_id uuid not null,
  created_at timestamp with time zone not null,
  message_id uuid not null
) with (autovacuum_vacuum_scale_factor=0.05, autovacuum_vacuum_insert_scale_factor=0.1);
CREATE INDEX message_text_changes_organization ON message_text_changes USING btree (organization_id);
comment on table message_text_changes is 'Messages that were stored, edited or deleted since message_texts was last brought up to date.';

create table message_texts (
  organization_id uuid not null,
  created_at timestamp with time zone not null,
  message_id uuid not null,
  search_text text not null,
  constraint message_texts_pkey PRIMARY KEY (organization_id, created_at, message_id)
);
CREATE INDEX message_texts_search ON message_texts USING gin (organization_id, date_bin('01:00:00'::interval, created_at, '1970-01-01 00:00:00+00'::timestamp with time zone), date_bin('1 day'::interval, created_at, '1970-01-01 00:00:00+00'::timestamp with time zone), search_text gin_trgm_ops) WITH (gin_pending_list_limit='65536');
comment on column message_texts.search_text is 'Recipient and text, a line each, in lower case.';

create table message_totals (
  organization_id uuid not null,
  type text not null,
  queued bigint not null,
  sending bigint not null,
  sent bigint not null,
  delivered bigint not null,
  read bigint not null,
  failed bigint not null,
  constraint message_totals_pkey PRIMARY KEY (organization_id, type)
) with (fillfactor=50);

create table messages (
  id uuid not null,
  organization_id uuid not null,
  container_id uuid,
  type text not null,
  kind text not null,
  recipient text not null,
  content text not null,
  priority text not null,
  status text not null,
  error text,
  error_code text,
  attempts integer default 0 not null,
  lost_claims integer default 0 not null,
  pinned boolean default false not null,
  direct boolean default false not null,
  client_reference text,
  campaign_id uuid,
  reminder_id uuid,
  sent_by text,
  bot_id uuid,
  conversation_id uuid,
  network_client_id text not null,
  gateway_message_id text,
  network_ref jsonb,
  due_at timestamp with time zone not null,
  queue_at timestamp with time zone not null,
  lease_token uuid,
  lease_until timestamp with time zone,
  send_started_token uuid,
  outcome_unknown_since timestamp with time zone,
  unacknowledged_since timestamp with time zone,
  sent_reported boolean default false not null,
  caller_error jsonb,
  attempt_log jsonb,
  guard_rule text,
  guard_opens boolean,
  guard_held_at timestamp with time zone,
  created_at timestamp with time zone not null,
  sent_at timestamp with time zone,
  delivered_at timestamp with time zone,
  read_at timestamp with time zone,
  failed_at timestamp with time zone,
  edited_at timestamp with time zone,
  deleted_at timestamp with time zone,
  lost_processes smallint default 0 not null,
  constraint messages_pkey PRIMARY KEY (id),
  constraint messages_priority_check CHECK ((priority = ANY (ARRAY['high'::text, 'normal'::text, 'low'::text]))),
  constraint messages_sent_by_check CHECK ((sent_by = ANY (ARRAY['key'::text, 'user'::text, 'ai_client'::text]))),
  constraint messages_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'sending'::text, 'sent'::text, 'delivered'::text, 'read'::text, 'failed'::text]))),
  constraint messages_type_check CHECK ((type = ANY (ARRAY['alert'::text, 'bulk'::text, 'otp'::text])))
) with (fillfactor=80, autovacuum_analyze_scale_factor=0.02, autovacuum_vacuum_scale_factor=0.05);
CREATE INDEX messages_campaign_lane ON messages USING btree (container_id, queue_at, id) WHERE ((status = 'queued'::text) AND (campaign_id IS NOT NULL));
CREATE INDEX messages_campaign_status ON messages USING btree (campaign_id, status) WHERE (campaign_id IS NOT NULL);
CREATE INDEX messages_contact ON messages USING btree (organization_id, recipient, created_at DESC);
CREATE INDEX messages_filtered ON messages USING btree (organization_id, type, status, created_at DESC, id DESC);
CREATE INDEX messages_held ON messages USING btree (organization_id, container_id, recipient) INCLUDE (due_at, guard_rule, guard_opens, campaign_id) WHERE ((status = 'queued'::text) AND (guard_rule IS NOT NULL));
CREATE INDEX messages_high ON messages USING btree (container_id, due_at, id) WHERE ((status = 'queued'::text) AND (priority = 'high'::text));
CREATE INDEX messages_lane ON messages USING btree (container_id, queue_at, id) WHERE ((status = 'queued'::text) AND (priority <> 'high'::text) AND (campaign_id IS NULL));
CREATE INDEX messages_leased ON messages USING btree (lease_until) WHERE (status = 'sending'::text);
CREATE INDEX messages_reference ON messages USING btree (organization_id, client_reference, created_at DESC, id DESC) WHERE (client_reference IS NOT NULL);
CREATE INDEX messages_unacknowledged ON messages USING btree (container_id, COALESCE(unacknowledged_since, outcome_unknown_since)) WHERE ((unacknowledged_since IS NOT NULL) OR (outcome_unknown_since IS NOT NULL));
CREATE INDEX messages_unknown ON messages USING btree (container_id, network_client_id) WHERE (outcome_unknown_since IS NOT NULL);
CREATE UNIQUE INDEX messages_campaign ON messages USING btree (campaign_id, recipient) WHERE (campaign_id IS NOT NULL);
CREATE UNIQUE INDEX messages_gateway_id ON messages USING btree (container_id, gateway_message_id) WHERE (gateway_message_id IS NOT NULL);
CREATE TRIGGER messages_campaign_count_added AFTER INSERT ON messages REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_campaign_messages();
CREATE TRIGGER messages_campaign_count_moved AFTER UPDATE ON messages REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_campaign_messages();
CREATE TRIGGER messages_campaign_count_removed AFTER DELETE ON messages REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_campaign_messages();
CREATE TRIGGER messages_campaign_moved AFTER UPDATE ON messages REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION reconcile_campaigns();
CREATE TRIGGER messages_chat_changed AFTER UPDATE ON messages REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION record_chat_changes();
CREATE TRIGGER messages_chat_removed AFTER DELETE ON messages REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION delete_chat_messages();
CREATE TRIGGER messages_count_added AFTER INSERT ON messages REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_messages();
CREATE TRIGGER messages_count_moved AFTER UPDATE ON messages REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_messages();
CREATE TRIGGER messages_count_removed AFTER DELETE ON messages REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_messages();
CREATE TRIGGER messages_place_added AFTER INSERT ON messages REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION record_places();
CREATE TRIGGER messages_place_changed AFTER UPDATE OF container_id, created_at ON messages FOR EACH ROW WHEN (((old.container_id IS DISTINCT FROM new.container_id) OR (old.created_at <> new.created_at))) EXECUTE FUNCTION record_places();
CREATE TRIGGER messages_place_removed AFTER DELETE ON messages REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION record_places();
CREATE TRIGGER messages_text_added AFTER INSERT ON messages REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION record_text_changes();
CREATE TRIGGER messages_text_edited AFTER UPDATE OF content, recipient ON messages FOR EACH ROW WHEN (((old.content IS DISTINCT FROM new.content) OR (old.recipient IS DISTINCT FROM new.recipient))) EXECUTE FUNCTION record_text_changes();
CREATE TRIGGER messages_text_removed AFTER DELETE ON messages REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION record_text_changes();
comment on column messages.attempt_log is 'One entry for each attempt that did not send it: at, error, and nextAt, null when a receipt is waited for. Null without such attempts.';
comment on column messages.caller_error is 'The error, as {code, message, details}, that the caller of a direct send received. A repeat with the same Idempotency-Key gets it too.';
comment on column messages.direct is 'Sent by the request itself. No dispatcher ever hands it to the network.';
comment on column messages.due_at is 'Not to be sent before this time.';
comment on column messages.guard_opens is 'Whether a held message begins a conversation with a new person.';
comment on column messages.guard_rule is 'The guard rule that held the message last. While it is queued it waits until due_at for it.';
comment on column messages.lease_token is 'Fencing token of the claim: a process writes the outcome only while its own token is in the row.';
comment on column messages.lost_claims is 'Attempts that were lost with a process, a host or a connection. They are in attempts too, but do not use up the attempts that may fail.';
comment on column messages.lost_processes is 'Processes in a row that were lost with a claim of it.';
comment on column messages.network_client_id is 'Chosen before the network is called, so that a repeat after a crash is the same message to the network.';
comment on column messages.outcome_unknown_since is 'Since when it is unknown whether the network took the message.';
comment on column messages.pinned is 'The caller named the number or used its key: the message never moves to another number.';
comment on column messages.queue_at is 'The place in the lane; a message of low priority is placed two minutes later.';
comment on column messages.send_started_token is 'Equal to lease_token once the holder of the claim has started to hand the message to the network.';
comment on column messages.unacknowledged_since is 'Since when the driver has a message that the network has not acknowledged. A receipt of any kind clears it.';

create table number_guards (
  container_id uuid not null,
  organization_id uuid not null,
  mode text,
  conversations integer,
  per_hour integer,
  per_day integer,
  network_used integer,
  network_quota integer,
  network_resets_at timestamp with time zone,
  network_reported_at timestamp with time zone,
  stopped_at timestamp with time zone,
  judged_from timestamp with time zone default '-infinity'::timestamp with time zone not null,
  warned_at timestamp with time zone default '-infinity'::timestamp with time zone not null,
  paused_until timestamp with time zone,
  constraint number_guards_pkey PRIMARY KEY (container_id),
  constraint number_guards_mode_check CHECK ((mode = ANY (ARRAY['on'::text, 'off'::text])))
);
comment on column number_guards.judged_from is 'When a person let its campaigns continue: earlier sends no longer count against it.';
comment on column number_guards.mode is 'What the operator decided; null: by the driver of the number.';
comment on column number_guards.paused_until is 'Until when it begins no conversations, because the network refused several people.';
comment on column number_guards.stopped_at is 'Since when its campaigns are stopped: too many recipients are not on the network.';
comment on column number_guards.warned_at is 'When it was last reported that the number gets no replies.';

create table number_history (
  id bigint generated always as identity not null,
  organization_id uuid not null,
  container_id uuid not null,
  at timestamp with time zone not null,
  from_status text,
  to_status text not null,
  reason text,
  source text not null,
  constraint number_history_pkey PRIMARY KEY (id),
  constraint number_history_source_check CHECK ((source = ANY (ARRAY['network'::text, 'user'::text, 'supervisor'::text]))),
  constraint number_history_container_id_fkey FOREIGN KEY (container_id) REFERENCES numbers(id) ON DELETE CASCADE
);
CREATE INDEX number_history_age ON number_history USING btree (at);
CREATE INDEX number_history_number ON number_history USING btree (container_id, id DESC);

create table numbers (
  id uuid not null,
  organization_id uuid not null,
  gateway text default 'simulator'::text not null,
  label text not null,
  instance_name text not null,
  is_default boolean default false not null,
  status text not null,
  status_at timestamp with time zone not null,
  status_since timestamp with time zone not null,
  status_reason text,
  report_sequence bigint default 0 not null,
  desired_state text default 'running'::text not null,
  phone_number text,
  network_id text,
  push_name text,
  last_linked_phone text,
  linked_at timestamp with time zone,
  ever_linked boolean default false not null,
  queue_held_at timestamp with time zone,
  last_reported_problem text,
  exhaustion_reported boolean default false not null,
  next_check_at timestamp with time zone,
  missed_probes integer default 0 not null,
  no_acks_at timestamp with time zone,
  retry_at timestamp with time zone,
  is_final boolean default false not null,
  link_step jsonb,
  blocked_until timestamp with time zone,
  down_since timestamp with time zone,
  retry_count integer default 0 not null,
  total_recoveries integer default 0 not null,
  total_failures integer default 0 not null,
  connected_since timestamp with time zone,
  last_healthy_at timestamp with time zone,
  last_error_at timestamp with time zone,
  last_error text,
  created_at timestamp with time zone not null,
  status_code integer,
  unused_warned_at timestamp with time zone,
  restricted_until timestamp with time zone,
  constraint numbers_pkey PRIMARY KEY (id),
  constraint numbers_instance_name_key UNIQUE (instance_name),
  constraint numbers_desired_state_check CHECK ((desired_state = ANY (ARRAY['running'::text, 'stopped'::text]))),
  constraint numbers_last_reported_problem_check CHECK ((last_reported_problem = ANY (ARRAY['needs_scan'::text, 'disconnected'::text]))),
  constraint numbers_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX numbers_next_check ON numbers USING btree (next_check_at) WHERE (next_check_at IS NOT NULL);
CREATE INDEX numbers_organization ON numbers USING btree (organization_id, created_at);
CREATE INDEX numbers_stopped ON numbers USING btree (status_since) WHERE ((status = 'STOPPED'::text) AND (network_id IS NOT NULL));
CREATE UNIQUE INDEX numbers_default ON numbers USING btree (organization_id) WHERE is_default;
comment on column numbers.blocked_until is 'Until when the network lets the account begin no new chats.';
comment on column numbers.desired_state is 'What the organization asked for. The state on the network is in status.';
comment on column numbers.exhaustion_reported is 'Whether it was reported that the quick attempts to reconnect are used up.';
comment on column numbers.gateway is 'The driver that serves the number, from its creation on.';
comment on column numbers.is_final is 'Whether the network said that a failed number must not be tried again by itself.';
comment on column numbers.last_linked_phone is 'The phone that was linked before. Linking another one holds the queue.';
comment on column numbers.last_reported_problem is 'The problem that was reported since the number last worked.';
comment on column numbers.link_step is 'What a person has to do beside the QR to complete the link: a passkey or a confirmation.';
comment on column numbers.linked_at is 'Since when the phone of last_linked_phone is linked; a link of the same phone again changes nothing.';
comment on column numbers.missed_probes is 'Checks in a row in which the host of the number did not respond.';
comment on column numbers.next_check_at is 'When the supervisor checks the number next; null for one that needs no check.';
comment on column numbers.no_acks_at is 'When the number was last reconnected because the network acknowledged nothing.';
comment on column numbers.queue_held_at is 'Since when the queue waits for a release because another phone was linked.';
comment on column numbers.report_sequence is 'The order of the last report of the network. An older report never overwrites a newer one, whatever its time.';
comment on column numbers.restricted_until is 'Until when the network limits what the account may send, as it said at a refused send.';
comment on column numbers.retry_at is 'When a failed number is tried again, where the network says so.';
comment on column numbers.status_at is 'When the status was last reported.';
comment on column numbers.status_code is 'The code of the network for status_reason, where it says more.';
comment on column numbers.status_since is 'When the number came to its status.';
comment on column numbers.unused_warned_at is 'When it was last reported that the number is stopped for so long that its link may end.';

create table oauth_clients (
  id text not null,
  name text not null,
  host text,
  redirect_uris text[] not null,
  created_at timestamp with time zone not null,
  used_at timestamp with time zone,
  kept_until timestamp with time zone,
  constraint oauth_clients_pkey PRIMARY KEY (id)
);
CREATE INDEX oauth_clients_age ON oauth_clients USING btree (COALESCE(kept_until, used_at, created_at));
comment on column oauth_clients.host is 'The host of the document; null for a client that registered.';
comment on column oauth_clients.kept_until is 'Until when the document is kept; null for a client that registered.';
comment on column oauth_clients.redirect_uris is 'Empty for a document that could not be read.';
comment on column oauth_clients.used_at is 'When a person last allowed it; null before.';

create table oauth_codes (
  code_hash bytea not null,
  connection_id uuid not null,
  client_id text not null,
  redirect_uri text not null,
  code_challenge text not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint oauth_codes_pkey PRIMARY KEY (code_hash),
  constraint oauth_codes_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES mcp_connections(id) ON DELETE CASCADE
);
CREATE INDEX oauth_codes_connection ON oauth_codes USING btree (connection_id);
CREATE INDEX oauth_codes_expiry ON oauth_codes USING btree (expires_at);

create table oauth_requests (
  id uuid not null,
  client_id text not null,
  client_name text not null,
  client_host text,
  redirect_uri text not null,
  scopes text[] not null,
  state text,
  code_challenge text not null,
  issuer text not null,
  browser_hash bytea not null,
  expires_at timestamp with time zone not null,
  answered_at timestamp with time zone,
  constraint oauth_requests_pkey PRIMARY KEY (id)
);
CREATE INDEX oauth_requests_expiry ON oauth_requests USING btree (expires_at);
comment on column oauth_requests.browser_hash is 'SHA-256 of the cookie of the browser in which it began.';

create table oauth_tokens (
  token_hash bytea not null,
  connection_id uuid not null,
  kind text not null,
  scopes text[] not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint oauth_tokens_pkey PRIMARY KEY (token_hash),
  constraint oauth_tokens_kind_check CHECK ((kind = ANY (ARRAY['access'::text, 'refresh'::text]))),
  constraint oauth_tokens_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES mcp_connections(id) ON DELETE CASCADE
);
CREATE INDEX oauth_tokens_connection ON oauth_tokens USING btree (connection_id);
CREATE INDEX oauth_tokens_expiry ON oauth_tokens USING btree (expires_at);

create table opt_out_keywords (
  organization_id uuid not null,
  keywords text[] not null,
  constraint opt_out_keywords_pkey PRIMARY KEY (organization_id)
);

create table order_numbers (
  organization_id uuid not null,
  last_number bigint not null,
  constraint order_numbers_pkey PRIMARY KEY (organization_id),
  constraint order_numbers_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);

create table organization_products (
  organization_id uuid not null,
  product text not null,
  granted_at timestamp with time zone,
  paused_at timestamp with time zone,
  paid_at timestamp with time zone,
  paid_until timestamp with time zone,
  constraint organization_products_pkey PRIMARY KEY (organization_id, product),
  constraint organization_products_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE TRIGGER organization_products_ended AFTER DELETE OR UPDATE ON organization_products FOR EACH STATEMENT EXECUTE FUNCTION signal_credentials();
comment on column organization_products.granted_at is 'When the operator granted it; null for a product that is only paid or on trial.';
comment on column organization_products.paid_at is 'Since when a subscription pays for it; stays when that ends.';
comment on column organization_products.paid_until is 'When the payment ends; null while the subscription renews.';
comment on column organization_products.paused_at is 'When the operator revoked it, or since when it is only paid. What is paid works all the same.';

create table organizations (
  id uuid not null,
  name text not null,
  trial_ends_at timestamp with time zone,
  extra_numbers integer default 0 not null,
  extra_expires_at timestamp with time zone,
  require_two_factor boolean default false not null,
  deactivated_at timestamp with time zone,
  protected_at timestamp with time zone,
  deleted_at timestamp with time zone,
  deleted_by uuid,
  moving_at timestamp with time zone,
  closed_at timestamp with time zone,
  moved_to text,
  created_at timestamp with time zone not null,
  exported_digests bytea[] default '{}'::bytea[] not null,
  import_receipt text,
  moved_at timestamp with time zone,
  country text,
  country_locked_at timestamp with time zone,
  paid_extra_numbers integer default 0 not null,
  ai_allowance_usd double precision,
  platform_admin_at timestamp with time zone,
  deactivated_reason text,
  trial_mail text,
  constraint organizations_pkey PRIMARY KEY (id),
  constraint organizations_trial_mail_check CHECK ((trial_mail = ANY (ARRAY['ending'::text, 'ended'::text])))
);
CREATE INDEX organizations_deleted ON organizations USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE INDEX organizations_moved ON organizations USING btree (moved_at) WHERE (moved_at IS NOT NULL);
CREATE INDEX organizations_moving ON organizations USING btree (id) WHERE (moving_at IS NOT NULL);
CREATE INDEX organizations_trial_mail ON organizations USING btree (trial_ends_at) WHERE (trial_mail IS DISTINCT FROM 'ended'::text);
CREATE TRIGGER organizations_billed AFTER UPDATE OF deleted_at, name, country ON organizations FOR EACH ROW EXECUTE FUNCTION follow_organization();
CREATE TRIGGER organizations_deactivated AFTER DELETE OR UPDATE OF deactivated_at, moving_at, moved_to ON organizations FOR EACH STATEMENT EXECUTE FUNCTION signal_credentials();
comment on column organizations.ai_allowance_usd is 'The AI allowance of a month that the operator gave it; null for AI_ALLOWANCE_USD.';
comment on column organizations.closed_at is 'Since when its numbers are stopped at their networks for the move.';
comment on column organizations.country is 'ISO 3166-1 alpha-2, in capitals. It decides the currency of payments.';
comment on column organizations.country_locked_at is 'When the first payment fixed the country.';
comment on column organizations.deactivated_reason is 'What the operator said when it was deactivated.';
comment on column organizations.deleted_at is 'When the owner deleted it. It is deactivated too, and its data is erased some days later.';
comment on column organizations.exported_digests is 'The SHA-256 of each file of org export since it was closed for its move: the receipt of the import names one of them.';
comment on column organizations.import_receipt is 'What org import printed; it ends the move in the other installation.';
comment on column organizations.moved_at is 'When its move ended. Null again once its data is deleted here.';
comment on column organizations.moved_to is 'The address to which it has moved. Its data is deleted here some days later.';
comment on column organizations.moving_at is 'Since when it moves to another installation: its calls are refused, and no process works for it.';
comment on column organizations.paid_extra_numbers is 'Numbers that its subscription pays for, beside extra_numbers, which the operator gives.';
comment on column organizations.platform_admin_at is 'Since when its owners and admins administer the service.';
comment on column organizations.protected_at is 'Since when the operator refuses its deletion.';
comment on column organizations.trial_mail is 'The last mail about the end of its trial.';

create table otp_days (
  organization_id uuid not null,
  day date not null,
  verified bigint default 0 not null,
  expired bigint default 0 not null,
  limited bigint default 0 not null,
  constraint otp_days_pkey PRIMARY KEY (organization_id, day),
  constraint otp_days_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
) with (fillfactor=70);
CREATE INDEX otp_days_age ON otp_days USING btree (day);
comment on column otp_days.limited is 'Codes that were refused because of a limit.';
comment on table otp_days is 'What became of codes, by the UTC day in which they were asked for. verified and expired count only requests that were deleted; the others are counted from otp_requests.';

create table otp_requests (
  id uuid not null,
  organization_id uuid not null,
  container_id uuid not null,
  phone text not null,
  mac bytea not null,
  pepper text not null,
  tries integer default 0 not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  verified_at timestamp with time zone,
  constraint otp_requests_pkey PRIMARY KEY (id),
  constraint otp_requests_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
) with (fillfactor=85);
CREATE INDEX otp_requests_age ON otp_requests USING btree (created_at);
CREATE INDEX otp_requests_organization ON otp_requests USING btree (organization_id, created_at);
CREATE INDEX otp_requests_phone ON otp_requests USING btree (organization_id, phone, created_at);
comment on column otp_requests.mac is 'HMAC of the code; the code itself is not stored.';
comment on column otp_requests.pepper is 'The id of the pepper that the HMAC was made with.';

create table payment_events (
  id text not null,
  type text not null,
  customer_id text,
  charge_id text,
  provider_at timestamp with time zone not null,
  received_at timestamp with time zone not null,
  seen_at timestamp with time zone,
  constraint payment_events_pkey PRIMARY KEY (id)
);
CREATE INDEX payment_events_received ON payment_events USING btree (received_at);
CREATE INDEX payment_events_unseen ON payment_events USING btree (received_at) WHERE (seen_at IS NULL);
comment on column payment_events.charge_id is 'The charge that a dispute names instead of a customer.';
comment on column payment_events.seen_at is 'When a refresh of its customer began after it; null before that.';
comment on table payment_events is 'Events of the payment provider, each once: they say only that a customer must be read.';

create table pending_changes (
  container_id uuid not null,
  network_id text not null,
  kind text not null,
  text text,
  at timestamp with time zone not null,
  received_at timestamp with time zone not null,
  authors text[],
  constraint pending_changes_pkey PRIMARY KEY (container_id, network_id, kind),
  constraint pending_changes_kind_check CHECK ((kind = ANY (ARRAY['edited'::text, 'revoked'::text])))
);
CREATE INDEX pending_changes_age ON pending_changes USING btree (received_at);
comment on column pending_changes.authors is 'The addresses of who made the change; none: the account of the number. Null: not known.';
comment on table pending_changes is 'Edits and deletions of messages that are not stored yet. They are applied as soon as the message is.';

create table pending_receipts (
  container_id uuid not null,
  gateway_message_id text not null,
  status text not null,
  at timestamp with time zone not null,
  error text,
  received_at timestamp with time zone not null,
  constraint pending_receipts_pkey PRIMARY KEY (container_id, gateway_message_id, status)
);
CREATE INDEX pending_receipts_age ON pending_receipts USING btree (received_at);
comment on table pending_receipts is 'Receipts of messages whose id on the network is not stored yet. They are applied as soon as it is.';

create table poll_votes (
  container_id uuid not null,
  vote_network_id text not null,
  organization_id uuid not null,
  poll_network_id text not null,
  voter text not null,
  selected_options jsonb not null,
  voted_at timestamp with time zone not null,
  received_at timestamp with time zone not null,
  message_id uuid,
  constraint poll_votes_pkey PRIMARY KEY (container_id, vote_network_id)
);
CREATE INDEX poll_votes_age ON poll_votes USING btree (received_at);
CREATE INDEX poll_votes_waiting ON poll_votes USING btree (container_id, poll_network_id) WHERE (message_id IS NULL);
comment on column poll_votes.message_id is 'The poll; null while it is not known yet.';
comment on table poll_votes is 'Votes in polls of the service. A vote is reported once although the network may deliver it again.';

create table recipient_check_budgets (
  container_id uuid not null,
  organization_id uuid not null,
  tat timestamp with time zone not null,
  day_tat timestamp with time zone not null,
  constraint recipient_check_budgets_pkey PRIMARY KEY (container_id),
  constraint recipient_check_budgets_container_id_fkey FOREIGN KEY (container_id) REFERENCES numbers(id) ON DELETE CASCADE
) with (fillfactor=70);
comment on column recipient_check_budgets.day_tat is 'The same for the budget of a day.';
comment on column recipient_check_budgets.tat is 'Theoretical arrival time (GCRA): when the whole budget of checks through this number is available again.';

create table recipient_checks (
  organization_id uuid not null,
  digits text not null,
  on_network boolean not null,
  chat_id text default ''::text not null,
  lid text,
  valid_until timestamp with time zone not null,
  constraint recipient_checks_pkey PRIMARY KEY (organization_id, digits),
  constraint recipient_checks_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX recipient_checks_age ON recipient_checks USING btree (valid_until);
comment on column recipient_checks.chat_id is 'The address of the person on the network; empty when there is none.';
comment on column recipient_checks.lid is 'The hidden id of the person, where the network discloses it.';
comment on column recipient_checks.valid_until is 'Longer on a real network than on the simulated one, and for a phone that is there than for one that is not.';
comment on table recipient_checks is 'Whether a phone is on the network.';

create table recovery_codes (
  user_id uuid not null,
  code_hash bytea not null,
  used_at timestamp with time zone,
  constraint recovery_codes_pkey PRIMARY KEY (user_id, code_hash),
  constraint recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table reminder_sends (
  reminder_id uuid not null,
  schedule_version integer not null,
  occurrence_at timestamp with time zone not null,
  message_id uuid not null,
  constraint reminder_sends_pkey PRIMARY KEY (reminder_id, schedule_version, occurrence_at),
  constraint reminder_sends_reminder_id_fkey FOREIGN KEY (reminder_id) REFERENCES reminders(id) ON DELETE CASCADE
);

create table reminders (
  id uuid not null,
  organization_id uuid not null,
  owner_id uuid not null,
  container_id uuid,
  label text,
  phone text not null,
  message text not null,
  variables jsonb not null,
  repeat text not null,
  time_zone text not null,
  status text not null,
  send_at timestamp with time zone not null,
  first_send_at timestamp with time zone not null,
  due_at timestamp with time zone not null,
  lease_token uuid,
  failed_tries integer default 0 not null,
  failed_repeats integer default 0 not null,
  schedule_version integer default 1 not null,
  batch_id uuid,
  send_count integer default 0 not null,
  last_sent_at timestamp with time zone,
  last_message_id uuid,
  last_error text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  client_reference text,
  constraint reminders_pkey PRIMARY KEY (id),
  constraint reminders_repeat_check CHECK ((repeat = ANY (ARRAY['none'::text, 'daily'::text, 'weekly'::text, 'monthly'::text]))),
  constraint reminders_status_check CHECK ((status = ANY (ARRAY['scheduled'::text, 'processing'::text, 'done'::text, 'failed'::text, 'cancelled'::text]))),
  constraint reminders_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
) with (fillfactor=80);
CREATE INDEX reminders_due ON reminders USING btree (due_at) WHERE (status = ANY (ARRAY['scheduled'::text, 'processing'::text]));
CREATE INDEX reminders_listed ON reminders USING btree (organization_id, ((status = ANY (ARRAY['scheduled'::text, 'processing'::text]))) DESC, (
CASE
    WHEN (status = ANY (ARRAY['scheduled'::text, 'processing'::text])) THEN send_at
    ELSE NULL::timestamp with time zone
END), updated_at DESC, id DESC);
CREATE INDEX reminders_unsent ON reminders USING btree (organization_id) WHERE (send_count = 0);
comment on column reminders.client_reference is 'The reference of the caller, which the messages carry.';
comment on column reminders.container_id is 'No reference: a reminder outlives its number, and fails when it is due.';
comment on column reminders.due_at is 'When the job handles the reminder: its occurrence, the next try after a temporary failure, or the end of the lease.';
comment on column reminders.failed_repeats is 'Occurrences in a row that failed.';
comment on column reminders.failed_tries is 'Tries of this occurrence that failed temporarily.';
comment on column reminders.schedule_version is 'How often a caller set sendAt. Two occurrences with the same time and another version are two occurrences.';
comment on column reminders.send_at is 'The occurrence that is sent next, or was sent last.';

create table reset_requests (
  id bigint generated always as identity not null,
  email text not null,
  ip text not null,
  created_at timestamp with time zone not null,
  constraint reset_requests_pkey PRIMARY KEY (id)
);

create table send_groups (
  organization_id uuid not null,
  enabled boolean not null,
  container_ids uuid[] not null,
  mode text not null,
  sticky boolean not null,
  updated_at timestamp with time zone not null,
  constraint send_groups_pkey PRIMARY KEY (organization_id),
  constraint send_groups_mode_check CHECK ((mode = ANY (ARRAY['backup'::text, 'share'::text]))),
  constraint send_groups_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
comment on column send_groups.container_ids is 'In the order of preference. A number of the list cannot be removed.';
comment on table send_groups is 'Which numbers of an organization substitute for each other.';

create table server_secrets (
  name text not null,
  value text not null,
  constraint server_secrets_pkey PRIMARY KEY (name)
);
comment on table server_secrets is 'Secrets that the service generates when its environment has none.';

create table service_clock (
  only_row boolean default true not null,
  offset_ms bigint default 0 not null,
  frozen_at timestamp with time zone,
  constraint service_clock_pkey PRIMARY KEY (only_row),
  constraint service_clock_only_row_check CHECK (only_row)
);

create table sign_in_challenges (
  challenge_hash bytea not null,
  user_id uuid not null,
  organization_id uuid not null,
  attempts integer default 0 not null,
  expires_at timestamp with time zone not null,
  invitation_id uuid,
  constraint sign_in_challenges_pkey PRIMARY KEY (challenge_hash),
  constraint sign_in_challenges_invitation_id_fkey FOREIGN KEY (invitation_id) REFERENCES invitations(id) ON DELETE CASCADE,
  constraint sign_in_challenges_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint sign_in_challenges_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX sign_in_challenges_expiry ON sign_in_challenges USING btree (expires_at);
CREATE INDEX sign_in_challenges_invitation ON sign_in_challenges USING btree (invitation_id) WHERE (invitation_id IS NOT NULL);
CREATE INDEX sign_in_challenges_organization ON sign_in_challenges USING btree (organization_id);
CREATE INDEX sign_in_challenges_person ON sign_in_challenges USING btree (user_id);
comment on column sign_in_challenges.invitation_id is 'The invitation that the second step uses. Null: a plain sign-in.';

create table sim_events (
  id bigint generated always as identity not null,
  container_id uuid not null,
  organization_id uuid not null,
  due_at timestamp with time zone not null,
  kind text not null,
  network_id text,
  person text,
  waits_for text,
  payload jsonb not null,
  constraint sim_events_pkey PRIMARY KEY (id)
) with (autovacuum_vacuum_scale_factor=0.05, autovacuum_analyze_scale_factor=0.05);
CREATE INDEX sim_events_container ON sim_events USING btree (container_id);
CREATE INDEX sim_events_due ON sim_events USING btree (due_at, id) WHERE (waits_for IS NULL);
CREATE INDEX sim_events_waiting ON sim_events USING btree (waits_for) WHERE (waits_for IS NOT NULL);
comment on column sim_events.waits_for is 'The phone (person:<digits>) or the link (session:<container>) that must be online again first.';
comment on table sim_events is 'What the network will report, and when.';

create table sim_fault_hits (
  container_id uuid not null,
  key text not null,
  hits integer not null,
  constraint sim_fault_hits_pkey PRIMARY KEY (container_id, key)
);
comment on table sim_fault_hits is 'How often a fault has hit one call, so that each further try draws another number.';

create table sim_faults (
  only_row boolean default true not null,
  settings jsonb not null,
  constraint sim_faults_pkey PRIMARY KEY (only_row),
  constraint sim_faults_only_row_check CHECK (only_row)
);

create table sim_messages (
  id bigint generated always as identity not null,
  container_id uuid not null,
  organization_id uuid not null,
  direction text not null,
  client_id text not null,
  network_id text not null,
  chat text not null,
  content jsonb not null,
  typed boolean not null,
  failed boolean not null,
  at timestamp with time zone not null,
  seen_at timestamp with time zone,
  revoked_at timestamp with time zone,
  constraint sim_messages_pkey PRIMARY KEY (id),
  constraint sim_messages_direction_check CHECK ((direction = ANY (ARRAY['in'::text, 'out'::text])))
) with (fillfactor=95);
CREATE INDEX sim_messages_chat ON sim_messages USING btree (container_id, chat, id);
CREATE UNIQUE INDEX sim_messages_client ON sim_messages USING btree (container_id, client_id);
CREATE UNIQUE INDEX sim_messages_network ON sim_messages USING btree (container_id, network_id);
comment on column sim_messages.failed is 'Taken by the network, which then could not deliver it: it never reached a phone.';

create table sim_pay_catalog (
  id text not null,
  position bigint generated always as identity not null,
  kind text not null,
  content jsonb not null,
  constraint sim_pay_catalog_pkey PRIMARY KEY (id)
);
comment on table sim_pay_catalog is 'What belongs to no customer: products, prices, portal configurations, endpoints.';

create table sim_pay_customers (
  id text not null,
  owner text,
  world jsonb not null,
  due_at timestamp with time zone,
  constraint sim_pay_customers_pkey PRIMARY KEY (id)
);
CREATE INDEX sim_pay_customers_due ON sim_pay_customers USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX sim_pay_customers_owner ON sim_pay_customers USING btree (owner);
comment on column sim_pay_customers.due_at is 'When something happens by itself, such as a renewal.';
comment on column sim_pay_customers.owner is 'The organization that its metadata names.';

create table sim_pay_events (
  id text not null,
  position bigint generated always as identity not null,
  customer_id text not null,
  type text not null,
  content jsonb not null,
  created_at timestamp with time zone not null,
  due_at timestamp with time zone,
  held boolean default false not null,
  attempts integer default 0 not null,
  deliveries jsonb default '[]'::jsonb not null,
  constraint sim_pay_events_pkey PRIMARY KEY (id)
);
CREATE INDEX sim_pay_events_created ON sim_pay_events USING btree (created_at);
CREATE INDEX sim_pay_events_customer ON sim_pay_events USING btree (customer_id, "position");
CREATE INDEX sim_pay_events_due ON sim_pay_events USING btree (due_at) WHERE (due_at IS NOT NULL);
comment on column sim_pay_events.due_at is 'When it is delivered next; null: never, or held.';

create table sim_pay_faults (
  owner text not null,
  calls text,
  only_calls text,
  times integer,
  webhooks text,
  constraint sim_pay_faults_pkey PRIMARY KEY (owner)
);
comment on column sim_pay_faults.times is 'How many more calls fail; null: all.';

create table sim_pay_requests (
  key text not null,
  request text not null,
  status integer not null,
  response jsonb not null,
  created_at timestamp with time zone not null,
  constraint sim_pay_requests_pkey PRIMARY KEY (key)
);
CREATE INDEX sim_pay_requests_created ON sim_pay_requests USING btree (created_at);
comment on table sim_pay_requests is 'Responses to requests with an idempotency key, for a day.';

create table sim_people (
  digits text not null,
  online boolean not null,
  constraint sim_people_pkey PRIMARY KEY (digits)
);
comment on table sim_people is 'Only the people whose phone was switched on or off, or is off from the beginning.';

create table sim_sessions (
  container_id uuid not null,
  organization_id uuid not null,
  status text not null,
  phone text,
  host_down boolean default false not null,
  restricted_until timestamp with time zone,
  contacts_synced_at timestamp with time zone,
  step_at timestamp with time zone,
  machine jsonb not null,
  profile jsonb not null,
  contacts jsonb default '{}'::jsonb not null,
  constraint sim_sessions_pkey PRIMARY KEY (container_id)
) with (fillfactor=70);
CREATE INDEX sim_sessions_phone ON sim_sessions USING btree (phone) WHERE (phone IS NOT NULL);
CREATE INDEX sim_sessions_step ON sim_sessions USING btree (step_at) WHERE (step_at IS NOT NULL);
comment on column sim_sessions.contacts is 'Names in the address book of the phone, by digits.';
comment on column sim_sessions.machine is 'The whole state of the link. The other columns repeat the parts that statements search by.';

create unlogged table sim_typing (
  container_id uuid not null,
  chat text not null,
  organization_id uuid not null,
  since timestamp with time zone not null,
  until timestamp with time zone not null,
  constraint sim_typing_pkey PRIMARY KEY (container_id, chat)
);
CREATE INDEX sim_typing_chat ON sim_typing USING btree (chat);
comment on table sim_typing is 'The numbers that show a person that they type.';

create table suspects (
  kind text not null,
  item text not null,
  organization_id uuid,
  lost_processes smallint not null,
  lost_at timestamp with time zone not null,
  set_aside_at timestamp with time zone,
  constraint suspects_pkey PRIMARY KEY (kind, item)
);
CREATE INDEX suspects_age ON suspects USING btree (lost_at);
CREATE INDEX suspects_organization ON suspects USING btree (organization_id);
comment on column suspects.lost_processes is 'Processes in a row that died while they worked on it.';
comment on column suspects.organization_id is 'No reference: counting a death must not fail. Null for an item without an organization.';
comment on column suspects.set_aside_at is 'Since when no loop works on the item any more.';
comment on table suspects is 'Items that a process worked on when it died. A row goes when the work on its item ends without a death.';

create table trial_usage (
  organization_id uuid not null,
  day date not null,
  used integer not null,
  constraint trial_usage_pkey PRIMARY KEY (organization_id, day),
  constraint trial_usage_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
) with (fillfactor=70);

create table uploads (
  id uuid not null,
  organization_id uuid not null,
  sha256 bytea not null,
  format text not null,
  filename text not null,
  mimetype text not null,
  size_bytes integer not null,
  bytes bytea storage external not null,
  expires_at timestamp with time zone not null,
  constraint uploads_pkey PRIMARY KEY (id),
  constraint uploads_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX uploads_expired ON uploads USING btree (expires_at);
CREATE UNIQUE INDEX uploads_content ON uploads USING btree (organization_id, sha256, filename, mimetype);

create table user_tokens (
  token_hash bytea not null,
  id uuid not null,
  user_id uuid not null,
  organization_id uuid not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  ip text,
  user_agent text,
  two_factor_at timestamp with time zone,
  carrier text,
  constraint user_tokens_pkey PRIMARY KEY (token_hash),
  constraint user_tokens_id_key UNIQUE (id),
  constraint user_tokens_carrier_check CHECK ((carrier = ANY (ARRAY['bearer'::text, 'cookie'::text]))),
  constraint user_tokens_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint user_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX user_tokens_expiry ON user_tokens USING btree (expires_at);
CREATE INDEX user_tokens_organization ON user_tokens USING btree (organization_id);
CREATE INDEX user_tokens_person ON user_tokens USING btree (user_id, created_at);
CREATE TRIGGER user_tokens_revoked AFTER DELETE ON user_tokens FOR EACH STATEMENT EXECUTE FUNCTION signal_credentials();
comment on column user_tokens.carrier is 'How the token is presented. Null for a session from before this column: it works both ways until it ends.';
comment on column user_tokens.two_factor_at is 'When the second step of the sign-in was made; null for one step.';

create table user_two_factor (
  user_id uuid not null,
  sealed_secret text,
  pending_sealed text,
  pending_until timestamp with time zone,
  enabled_at timestamp with time zone,
  last_step bigint,
  constraint user_two_factor_pkey PRIMARY KEY (user_id),
  constraint user_two_factor_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table users (
  id uuid not null,
  name text not null,
  email text not null,
  password_hash text,
  email_verified_at timestamp with time zone,
  had_trial_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint users_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX users_email ON users USING btree (lower(email));
comment on column users.password_hash is 'Null until the person sets a password by a link.';

create table waha_hosts (
  id uuid not null,
  url text not null,
  sealed_key text not null,
  sealed_hook_key text not null,
  engine text not null,
  version text not null,
  capacity integer not null,
  draining boolean default false not null,
  seen_at timestamp with time zone,
  polled_at timestamp with time zone,
  groups boolean default true not null,
  constraint waha_hosts_pkey PRIMARY KEY (id),
  constraint waha_hosts_url_key UNIQUE (url),
  constraint waha_hosts_capacity_check CHECK ((capacity > 0)),
  constraint waha_hosts_engine_check CHECK ((engine = ANY (ARRAY['GOWS'::text, 'NOWEB'::text])))
);
comment on column waha_hosts.groups is 'Whether its sessions report messages of groups.';
comment on column waha_hosts.sealed_hook_key is 'Signs the webhooks of the server, encrypted with SECRETS_KEYS.';
comment on column waha_hosts.sealed_key is 'What the service sends as X-Api-Key, encrypted with SECRETS_KEYS.';

create table waha_sessions (
  container_id uuid not null,
  organization_id uuid not null,
  host_id uuid not null,
  status text,
  reported_status text,
  sequence bigint default 0 not null,
  heard_at timestamp with time zone,
  examined_at timestamp with time zone,
  repaired_at timestamp with time zone,
  limits text,
  taken_at timestamp with time zone,
  message_heard_at timestamp with time zone,
  constraint waha_sessions_pkey PRIMARY KEY (container_id),
  constraint waha_sessions_host_id_fkey FOREIGN KEY (host_id) REFERENCES waha_hosts(id)
) with (fillfactor=70);
CREATE INDEX waha_sessions_host ON waha_sessions USING btree (host_id);
CREATE INDEX waha_sessions_organization ON waha_sessions USING btree (organization_id);
comment on column waha_sessions.examined_at is 'When its chats were last compared with its webhooks.';
comment on column waha_sessions.heard_at is 'The latest webhook, to within five minutes.';
comment on column waha_sessions.limits is 'The limits of the account that were reported last, as JSON.';
comment on column waha_sessions.message_heard_at is 'The latest webhook about a message, to within five minutes.';
comment on column waha_sessions.repaired_at is 'When the service last restarted it because it heard nothing or refused every message.';
comment on column waha_sessions.reported_status is 'The latest status that was reported to the service. A poll reports what differs from it.';
comment on column waha_sessions.status is 'The latest status that is known, in the words of WAHA. `sequence` orders it.';
comment on column waha_sessions.taken_at is 'When the network took a message of it last.';

create table webhook_deliveries (
  id uuid not null,
  event_id uuid not null,
  organization_id uuid not null,
  endpoint_id uuid not null,
  status text not null,
  replay boolean default false not null,
  attempts integer default 0 not null,
  next_attempt_at timestamp with time zone not null,
  lease_token uuid,
  lease_until timestamp with time zone,
  last_status integer,
  last_error text,
  attempt_log jsonb default '[]'::jsonb not null,
  created_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  lost_processes smallint default 0 not null,
  constraint webhook_deliveries_pkey PRIMARY KEY (id),
  constraint webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'dropped'::text]))),
  constraint webhook_deliveries_event_id_fkey FOREIGN KEY (event_id) REFERENCES events(id) ON DELETE CASCADE
) with (fillfactor=50, autovacuum_vacuum_scale_factor=0.02);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries USING btree (endpoint_id, next_attempt_at) WHERE (status = 'pending'::text);
CREATE INDEX webhook_deliveries_event ON webhook_deliveries USING btree (event_id);
CREATE INDEX webhook_deliveries_listed ON webhook_deliveries USING btree (organization_id, status, created_at DESC, id DESC);
comment on column webhook_deliveries.attempt_log is 'One entry for each attempt: at, status, error, durationMs, and response: the beginning of a refusal''s body.';
comment on column webhook_deliveries.endpoint_id is 'No reference: the deliveries of a removed endpoint stay listed, and those that are pending are dropped.';
comment on column webhook_deliveries.lease_token is 'Fencing token of the claim: a process writes the outcome only while its own token is in the row.';
comment on column webhook_deliveries.lost_processes is 'Processes in a row that were lost with a claim of it.';
comment on table webhook_deliveries is 'One row for each endpoint of each event, and for each replay. The one for the main endpoint has the id of its event.';

create table webhooks (
  id uuid default gen_random_uuid() not null,
  organization_id uuid not null,
  main boolean default true not null,
  url text,
  label text,
  kinds text[],
  secret text,
  previous_secret text,
  previous_until timestamp with time zone,
  created_at timestamp with time zone default service_now() not null,
  updated_at timestamp with time zone not null,
  constraint webhooks_pkey PRIMARY KEY (id),
  constraint webhooks_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX webhooks_organization ON webhooks USING btree (organization_id, created_at, id);
CREATE UNIQUE INDEX webhooks_main ON webhooks USING btree (organization_id) WHERE main;
comment on column webhooks.kinds is 'The kinds of events that are posted to it; null for all.';

create table work_batches (
  id uuid not null,
  kind text not null,
  items text[] not null,
  organizations uuid[] not null,
  lease_until timestamp with time zone not null,
  constraint work_batches_pkey PRIMARY KEY (id)
);
CREATE INDEX work_batches_kind ON work_batches USING btree (kind);
comment on column work_batches.organizations is 'The organizations of the items, in their order; null for an item without one.';
comment on table work_batches is 'Items that a process works on. It renews the lease of its rows, and deletes each when the work has ended, whatever its result.';

create view entitlements as
 SELECT o.id AS organization_id,
    o.deleted_at,
    o.deactivated_at,
    o.moving_at,
    o.moved_to,
    o.require_two_factor,
    p.products,
    p.held = 0 AS trial,
    p.ended > 0 AS trial_ended,
    o.platform_admin_at IS NOT NULL AS platform_admin,
    p.paid_products,
    p.paid_until
   FROM organizations o
     CROSS JOIN LATERAL ( SELECT count(COALESCE(organization_products.granted_at, organization_products.paid_at)) AS held,
            count(*) FILTER (WHERE organization_products.paid_until <= (( SELECT service_now() AS service_now)) OR organization_products.paused_at IS NULL AND organization_products.granted_at IS NULL AND organization_products.paid_at IS NULL AND o.trial_ends_at <= (( SELECT service_now() AS service_now))) AS ended,
            COALESCE(array_agg(organization_products.product) FILTER (WHERE organization_products.paused_at IS NULL AND (organization_products.granted_at IS NOT NULL OR o.trial_ends_at > (( SELECT service_now() AS service_now))) OR organization_products.paid_at IS NOT NULL AND (organization_products.paid_until IS NULL OR organization_products.paid_until > (( SELECT service_now() AS service_now)))), '{}'::text[]) AS products,
            COALESCE(array_agg(organization_products.product) FILTER (WHERE organization_products.paid_at IS NOT NULL AND (organization_products.paid_until IS NULL OR organization_products.paid_until > (( SELECT service_now() AS service_now)))), '{}'::text[]) AS paid_products,
            max(organization_products.paid_until) FILTER (WHERE organization_products.paid_at IS NOT NULL AND organization_products.paid_until > (( SELECT service_now() AS service_now))) AS paid_until
           FROM organization_products
          WHERE organization_products.organization_id = o.id) p;
comment on view entitlements is 'One row for each organization: what decides whether it may act, and its active products.';
comment on column entitlements.trial is 'It holds no product that was granted or paid: its messages count against the trial.';
comment on column entitlements.trial_ended is 'A product is off only because the free trial, or what was paid, has ended.';
comment on column entitlements.platform_admin is 'Its owners and admins administer the service.';
comment on column entitlements.paid_products is 'The products that are paid now.';
comment on column entitlements.paid_until is 'When the payment of these ends; null while it renews.';

CREATE OR REPLACE FUNCTION append_campaign_ends()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from campaign_ends where campaign_id = new.campaign_id) then
    perform append_events('[]');
    perform pg_notify('msgctl_wake', 'database events');
    perform pg_notify('msgctl_wake', 'database deliveries');
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION append_events(given jsonb)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  with ended as (
    delete from campaign_ends e using campaigns c where c.id = e.campaign_id
    returning c.id, c.organization_id, c.name, c.container_id, c.total, c.started_at, c.completed_at
  ), listed as (
    select * from jsonb_to_recordset(given) as given
      (rank int, id uuid, "organizationId" uuid, event text, data jsonb, "messageId" uuid, "endpointId" uuid,
       sample boolean, audience text[])
    union all
    select 1000000, gen_random_uuid(), organization_id, 'campaign.completed',
           jsonb_build_object(
             'campaignId', id, 'name', name, 'status', 'completed', 'containerId', container_id,
             'stats', jsonb_build_object('total', total, 'sent', sent, 'delivered', delivered, 'failed', failed, 'read', read),
             'startedAt', iso_instant(started_at), 'timestamp', iso_instant(completed_at)),
           null, null, false, array['developer']
      from ended cross join lateral (
        select coalesce(sum(sent), 0) as sent, coalesce(sum(delivered), 0) as delivered,
               coalesce(sum(failed), 0) as failed, coalesce(sum(read), 0) as read
          from (select sent, delivered, failed, read from campaign_counts k where k.campaign_id = ended.id
                union all
                select sent, delivered, failed, read from campaign_count_changes k where k.campaign_id = ended.id) k) counted
  ), entitled as materialized (
    select organization_id, products from entitlements
     where deleted_at is null and organization_id in (select "organizationId" from listed)
  ), received as (
    select listed.*, row_number() over (partition by "organizationId" order by listed.rank) as offset_in_batch
    from listed join entitled on entitled.organization_id = "organizationId" and entitled.products && audience
  ), positions as (
    insert into event_positions as kept (organization_id, last_position)
    select "organizationId", count(*) from received group by "organizationId" order by "organizationId"
    on conflict (organization_id) do update set last_position = kept.last_position + excluded.last_position
    returning organization_id, last_position
  ), stored as (
    insert into events (id, organization_id, position, event, data, message_id, sample, created_at)
    select id, organization_id, last_position - count(*) over (partition by organization_id) + offset_in_batch,
           event, data, "messageId", sample, (select service_now())
    from received join positions on positions.organization_id = received."organizationId"
  )
  -- From the events as they were received, and not as they were stored: a join of both would compare each with each.
  insert into webhook_deliveries (id, event_id, organization_id, endpoint_id, status, next_attempt_at, created_at)
  select case when webhooks.main then received.id else gen_random_uuid() end, received.id, webhooks.organization_id,
         webhooks.id, 'pending', (select service_now()), (select service_now())
  from received join webhooks on webhooks.organization_id = received."organizationId"
  where webhooks.url is not null
    and case when received."endpointId" is null then webhooks.kinds is null or received.event = any(webhooks.kinds)
        else webhooks.id = received."endpointId" end;
end $function$
;

CREATE OR REPLACE FUNCTION begin_billing_operation(organization uuid, what text)
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into billing_operations (id, organization_id, kind, request, actor_kind, created_at)
  select gen_random_uuid(), organization_id, what, '{}', 'payments', service_now()
    from billing_accounts where organization_id = organization and customer_id is not null
$function$
;

CREATE OR REPLACE FUNCTION count_campaign_messages()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' then
    if not exists (select from added where campaign_id is not null) then return null; end if;
    insert into campaign_count_changes
    select campaign_id, organization_id, sum(sent), sum(delivered), sum(failed), sum(read)
      from (select campaign_id, organization_id,
                   case when status in ('sent', 'delivered', 'read') then 1 else 0 end as sent,
                   case when status in ('delivered', 'read') then 1 else 0 end as delivered,
                   case when status = 'failed' then 1 else 0 end as failed,
                   case when status = 'read' then 1 else 0 end as read
              from added where campaign_id is not null) moved
     group by 1, 2 having sum(sent) <> 0 or sum(delivered) <> 0 or sum(failed) <> 0 or sum(read) <> 0;
  elsif tg_op = 'DELETE' then
    if current_setting('msgctl.purge', true) = 'on' then return null; end if;
    if not exists (select from removed where campaign_id is not null) then return null; end if;
    insert into campaign_count_changes
    select campaign_id, organization_id, sum(sent), sum(delivered), sum(failed), sum(read)
      from (select campaign_id, organization_id,
                   -sent as sent, -delivered as delivered, -failed as failed, -read as read
              from (select campaign_id, organization_id,
                           case when status in ('sent', 'delivered', 'read') then 1 else 0 end as sent,
                           case when status in ('delivered', 'read') then 1 else 0 end as delivered,
                           case when status = 'failed' then 1 else 0 end as failed,
                           case when status = 'read' then 1 else 0 end as read
                      from removed where campaign_id is not null) gone) moved
     group by 1, 2 having sum(sent) <> 0 or sum(delivered) <> 0 or sum(failed) <> 0 or sum(read) <> 0;
  else
    if not exists (select from added where campaign_id is not null) then return null; end if;
    insert into campaign_count_changes
    select campaign_id, organization_id, sum(sent), sum(delivered), sum(failed), sum(read)
      from (select campaign_id, organization_id,
                   case when status in ('sent', 'delivered', 'read') then 1 else 0 end as sent,
                   case when status in ('delivered', 'read') then 1 else 0 end as delivered,
                   case when status = 'failed' then 1 else 0 end as failed,
                   case when status = 'read' then 1 else 0 end as read
              from added where campaign_id is not null
            union all
            select campaign_id, organization_id,
                   -sent as sent, -delivered as delivered, -failed as failed, -read as read
              from (select campaign_id, organization_id,
                           case when status in ('sent', 'delivered', 'read') then 1 else 0 end as sent,
                           case when status in ('delivered', 'read') then 1 else 0 end as delivered,
                           case when status = 'failed' then 1 else 0 end as failed,
                           case when status = 'read' then 1 else 0 end as read
                      from removed where campaign_id is not null) gone) moved
     group by 1, 2 having sum(sent) <> 0 or sum(delivered) <> 0 or sum(failed) <> 0 or sum(read) <> 0;
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION count_messages()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' then
    insert into message_count_changes
    select organization_id, date_bin('1 hour', created_at, timestamptz 'epoch'), type,
           coalesce(sum(n) filter (where status = 'queued'), 0),
           coalesce(sum(n) filter (where status = 'sending'), 0),
           coalesce(sum(n) filter (where status = 'sent'), 0),
           coalesce(sum(n) filter (where status = 'delivered'), 0),
           coalesce(sum(n) filter (where status = 'read'), 0),
           coalesce(sum(n) filter (where status = 'failed'), 0)
      from (select organization_id, created_at, type, status, 1 as n from added) moved group by 1, 2, 3;
  elsif tg_op = 'DELETE' then
    -- The count of what was sent does not fall when its age ends it.
    if current_setting('msgctl.purge', true) = 'on' then return null; end if;
    insert into message_count_changes
    select organization_id, date_bin('1 hour', created_at, timestamptz 'epoch'), type,
           coalesce(sum(n) filter (where status = 'queued'), 0),
           coalesce(sum(n) filter (where status = 'sending'), 0),
           coalesce(sum(n) filter (where status = 'sent'), 0),
           coalesce(sum(n) filter (where status = 'delivered'), 0),
           coalesce(sum(n) filter (where status = 'read'), 0),
           coalesce(sum(n) filter (where status = 'failed'), 0)
      from (select organization_id, created_at, type, status, -1 as n from removed) moved group by 1, 2, 3;
  else
    insert into message_count_changes
    select organization_id, hour, type,
           coalesce(sum(n) filter (where status = 'queued'), 0),
           coalesce(sum(n) filter (where status = 'sending'), 0),
           coalesce(sum(n) filter (where status = 'sent'), 0),
           coalesce(sum(n) filter (where status = 'delivered'), 0),
           coalesce(sum(n) filter (where status = 'read'), 0),
           coalesce(sum(n) filter (where status = 'failed'), 0)
      from (select organization_id, date_bin('1 hour', created_at, timestamptz 'epoch') as hour, type, status, sum(n) as n
              from (select organization_id, created_at, type, status, 1 as n from added
                    union all
                    select organization_id, created_at, type, status, -1 from removed) each_row
             group by 1, 2, 3, 4 having sum(n) <> 0) moved
     group by 1, 2, 3;
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION delete_chat_messages()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  with gone as (
    delete from chat_messages c using removed r where r.sent_at is not null and c.id = r.id
    returning c.organization_id, c.container_id, c.contact_id
  )
  insert into chat_changes (organization_id, container_id, contact_id)
  select distinct organization_id, container_id, contact_id from gone where contact_id is not null;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION follow_organization()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION follow_owner()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform begin_billing_operation(new.organization_id, 'customer');
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION gateway_clock()
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$select statement_timestamp()$function$
;
comment on function gateway_clock is 'The time of leases. Moving the service time does not move it: a lease must not end while its owner is at work.';

CREATE OR REPLACE FUNCTION is_restored()
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select identity <> read_database_identity()
         or (timeline <> read_database_timeline() and not pg_is_in_recovery()
             and concat(current_setting('recovery_target', true), current_setting('recovery_target_lsn', true),
                        current_setting('recovery_target_name', true), current_setting('recovery_target_time', true),
                        current_setting('recovery_target_xid', true)) <> '')
    from database_identity;
$function$
;

CREATE OR REPLACE FUNCTION iso_instant(at timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
$function$
;

CREATE OR REPLACE FUNCTION keep_activity()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if coalesce(current_setting('msgctl.purge', true), '') <> 'on' then
    raise exception 'the activity log is append-only' using errcode = 'insufficient_privilege';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $function$
;
comment on function keep_activity is 'Refuses changes of the log, except by the jobs that delete what has expired or was erased.';

CREATE OR REPLACE FUNCTION note_campaign_end()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into campaign_ends values (new.id) on conflict do nothing;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION read_database_identity()
 RETURNS text
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  cluster text := 'unknown';
begin
  begin
    select system_identifier::text into cluster from pg_control_system();
  exception when insufficient_privilege then null;
  end;
  return concat_ws('/', cluster, (select oid from pg_database where datname = current_database()),
                   'database_identity'::regclass::oid);
end $function$
;

CREATE OR REPLACE FUNCTION read_database_timeline()
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select case when pg_is_in_recovery() then '' else left(pg_walfile_name(pg_current_wal_lsn()), 8) end;
$function$
;

CREATE OR REPLACE FUNCTION reconcile_campaigns()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  back uuid[];
  settled uuid;
begin
  if not exists (select from added where campaign_id is not null) then return null; end if;
  select array_agg(a.id) into back from added a join removed r on r.id = a.id
   where a.campaign_id is not null and a.status = 'queued' and r.status = 'sending';
  if back is not null then
    perform from campaigns where id in (select campaign_id from added where id = any(back)) order by id for share;
    update messages m set due_at = 'infinity' from campaigns c
     where m.id = any(back) and c.id = m.campaign_id and c.status <> 'sending' and m.outcome_unknown_since is not null;
    delete from messages m using campaigns c
     where m.id = any(back) and c.id = m.campaign_id and c.status <> 'sending' and m.outcome_unknown_since is null;
  end if;
  for settled in
    select distinct a.campaign_id from added a join removed r on r.id = a.id
     where a.campaign_id is not null and a.status not in ('queued', 'sending') and r.status in ('queued', 'sending')
     order by 1
  loop
    -- With many messages left this cannot be the last one, so the row of the campaign is not locked.
    if (select count(*) from (select from messages
          where campaign_id = settled and status in ('queued', 'sending') limit 100) few) < 100 then
      perform from campaigns where id = settled and status = 'sending' for update;
      update campaigns set status = 'completed', completed_at = (select service_now())
       where id = settled and status = 'sending'
         and not exists (select from messages where campaign_id = settled and status in ('queued', 'sending'));
    end if;
  end loop;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION record_chat_changes()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_nestloop TO 'off'
AS $function$
begin
  if not exists (select from added where sent_at is not null) then return null; end if;
  insert into chat_changes (organization_id, container_id, message_id)
  select a.organization_id, a.container_id, a.id
    from added a join removed r on r.id = a.id
   where a.container_id is not null and a.sent_at is not null
     and (r.sent_at is null or (r.deleted_at is null and a.deleted_at is not null));
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION record_places()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' then
    insert into message_places select organization_id, container_id, created_at, id from added;
  elsif tg_op = 'DELETE' then
    delete from message_places p using removed r
     where p.organization_id = r.organization_id and p.created_at = r.created_at and p.message_id = r.id;
  else
    update message_places p set container_id = new.container_id, created_at = new.created_at
     where p.organization_id = old.organization_id and p.created_at = old.created_at and p.message_id = old.id;
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION record_text_changes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' then
    insert into message_text_changes select organization_id, created_at, id from added;
  elsif tg_op = 'DELETE' then
    insert into message_text_changes select organization_id, created_at, id from removed;
  else
    insert into message_text_changes values (new.organization_id, new.created_at, new.id);
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION service_now()
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $function$
begin
  return (
    select date_trunc('milliseconds', coalesce(frozen_at, statement_timestamp() + offset_ms * interval '1 millisecond'))
      from service_clock);
end $function$
;
comment on function service_now is 'The time of the service. Whole milliseconds, so that a time survives the way through JavaScript and back, as cursors must.';

CREATE OR REPLACE FUNCTION signal_credentials()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('msgctl_wake', 'database credentials');
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION update_agenda_jobs_updated_at()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  NEW.updated_at = NOW();
  RETURN NEW;
END;
$function$
;
