/**
 * SQL of the condition that the organization in `column` does not move to another installation. Every loop that claims work
 * of organizations has it: whatever is begun here after the export would be done there again. The list is nearly always
 * empty, and is read once for each statement.
 */
export function notMoving(column: string): string {
  return `${column} <> all(array(select id from organizations where moving_at is not null))`
}
