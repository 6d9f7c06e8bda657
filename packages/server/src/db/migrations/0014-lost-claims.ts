/**
 * How often the process that held a message was lost. Such a claim counts as an attempt, but it says nothing about the
 * message, so it does not use up the tries that failures may take.
 */
export const lostClaims = `
alter table messages add column lost_claims integer not null default 0;
`
