-- The messages of a reminder or a campaign carry the reference that the caller gave it.
alter table reminders add column client_reference text;
alter table campaigns add column client_reference text;
comment on column reminders.client_reference is 'The reference of the caller, which the messages carry.';
comment on column campaigns.client_reference is 'The reference of the caller, which the messages carry.';
