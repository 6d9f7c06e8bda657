/**
 * Each delivery is written three times: stored, claimed, done. Half of a page is left free, so that a claim finds room in
 * the page of its row and touches no index. The list of all statuses is merged from those of each, for which there is an
 * index already.
 */
export const lighterDeliveries = `
alter table webhook_deliveries set (fillfactor = 50);
drop index webhook_deliveries_newest;
`
