import type { Db } from './db.ts'

/**
 * Fails when the database cannot be reached, and as a change would (SQLSTATE 25006) when it is a stand-by or read-only.
 */
export async function requireWritable(db: Db): Promise<void> {
  await db.raw(
    `do $$ begin
       if pg_is_in_recovery() or current_setting('transaction_read_only')::bool then
         raise exception 'the database is read-only' using errcode = 'read_only_sql_transaction';
       end if;
     end $$`,
  )
}
