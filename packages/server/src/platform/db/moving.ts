/**
 * SQL of the condition that the organization in `column` does not move to another installation. Every loop that claims
 * work of organizations has it: whatever is begun here after the export would be done there again. The list is nearly
 * always empty, and is read once for each statement.
 *
 * Inside `coalesce` the planner takes it for half of the rows. It guesses ten ids for the list otherwise. With one
 * organization it then expects no row at all, and sorts everything that is due instead of reading the first rows of an
 * index.
 */
export function notMoving(column: string): string {
  return `coalesce(${column} <> all(array(select id from organizations where moving_at is not null)), true)`
}
