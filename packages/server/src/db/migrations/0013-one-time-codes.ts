/**
 * One-time codes, of which only an HMAC is kept. A request has the id of its message; it outlives the message's number,
 * because the windows count what was sent to a phone, through whichever number.
 */
export const oneTimeCodes = `
create table otp_requests (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  container_id uuid not null,
  phone text not null,
  mac bytea not null,
  -- Which pepper the HMAC was made with.
  pepper text not null,
  tries integer not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  verified_at timestamptz
) with (fillfactor = 85);
create index otp_requests_phone on otp_requests (organization_id, phone, created_at);
create index otp_requests_organization on otp_requests (organization_id, created_at);
create index otp_requests_age on otp_requests (created_at);
`
