/**
 * A row source that makes a statement end without waiting for the disk: `insert into ... select ... from ${lazily}`. A
 * crash of the database server can lose what was written in its last fraction of a second; a crash of this process
 * loses nothing. It is for counts and records that no caller was promised. The statement must be a transaction of its
 * own, because in a larger one it would hold for all of it: pass the pool, never an open transaction.
 */
export const lazily = `(select set_config('synchronous_commit', 'off', true)) as lazily`
