-- An invitation of a person with two-step sign-in is used with the code, so the half-finished sign-in names it.
alter table sign_in_challenges add column invitation_id uuid references invitations(id) on delete cascade;
comment on column sign_in_challenges.invitation_id is 'The invitation that the second step uses. Null: a plain sign-in.';
create index sign_in_challenges_invitation on sign_in_challenges (invitation_id) where invitation_id is not null;
-- The invitations of the last hour, or day, are counted by their rows.
create index invitations_sent on invitations (organization_id, created_at);
