-- Only who wrote a message changes it. Hosts of the release before leave out who does.
alter table pending_changes add column authors text[];
comment on column pending_changes.authors is 'The addresses of who made the change; none: the account of the number. Null: not known.';
