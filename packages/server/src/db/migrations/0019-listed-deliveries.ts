/**
 * Deliveries of one status are listed, latest first, and counted by this index, also where nearly all have another one:
 * a dead receiver leaves as many waiting as a month has events.
 */
export const listedDeliveries = `
create index webhook_deliveries_listed on webhook_deliveries (organization_id, status, created_at desc, id desc);
drop index webhook_deliveries_dropped;
`
