/** What the network calls a checked number, and how much of its check budget each of our numbers has used. */
export const numberChecks = `
-- The network's own address of the person, empty for a number that is not on the network. Answers from before this are
-- asked for again.
delete from number_checks;
alter table number_checks add column chat_id text not null default '';

-- The theoretical arrival time of the GCRA: when the whole budget would be there again.
create table check_budgets (
  container_id uuid primary key references numbers on delete cascade,
  organization_id uuid not null,
  tat timestamptz not null
) with (fillfactor = 70);
`
