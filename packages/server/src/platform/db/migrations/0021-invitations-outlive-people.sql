-- The limit of an organization counts its invitations by their rows, so a row stays when its inviter is deleted.
alter table invitations alter column invited_by drop not null;
alter table invitations drop constraint invitations_invited_by_fkey;
alter table invitations add constraint invitations_invited_by_fkey
  foreign key (invited_by) references users (id) on delete set null;
comment on column invitations.email is 'Empty once the invited person was erased.';
comment on column invitations.invited_by is 'Null once the inviter was erased; the invitation cannot be used then.';
