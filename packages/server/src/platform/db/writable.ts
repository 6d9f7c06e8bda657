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

/**
 * Fails as a change would (SQLSTATE 53100) when the disk of the database is full. It writes a temporary file of half a
 * megabyte, because a changed row may find its place on a full disk. That leaves no rows behind and takes 5 ms.
 */
export async function requireDiskSpace(db: Db): Promise<void> {
  await db.raw(
    `do $$ begin
       set local work_mem = '64kB';
       perform count(*) from generate_series(1, 25000);
     end $$`,
  )
}

/** Returns why an error means that changes fail while reads may succeed; null for any other error. */
export function changesFailBecause(error: unknown): string | null {
  const reasons: Readonly<Record<string, string>> = {
    '25006': 'The database is read-only.',
    '53100': 'The disk of the database is full.',
  }
  return reasons[(error as { code?: string } | null)?.code ?? ''] ?? null
}
