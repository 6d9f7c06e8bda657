/**
 * A campaign stays bound to its number when that is removed: it must not leave through another one that nobody named. Its
 * start finds no such number then, and says so.
 */
export const boundCampaigns = `
alter table campaigns drop constraint campaigns_container_id_fkey;
`
