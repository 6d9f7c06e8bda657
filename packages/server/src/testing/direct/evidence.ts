import { createWriteStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { type Db, rows } from '#platform/db/db.ts'

/** Collects what a host wrote, and what it must not write: for gateway-host/test/find-leaks.ts. */
export interface Evidence {
  onOutput(text: string): void
  /** Writes the secrets of the database and the texts of its network, before the database is dropped. */
  finish(facts: { readonly secretsKeys: string; readonly texts: readonly string[] }): Promise<void>
}

/** Keeps every key that was ever stored, also those that were replaced and deleted. */
const keepStored = `
  create unlogged table kept_keys (container_id uuid, kind int, id text, value bytea);
  create function keep_key() returns trigger language plpgsql as $$
  begin
    insert into kept_keys values (new.container_id, new.kind, new.id, new.value);
    return null;
  end $$;
  create function keep_number() returns trigger language plpgsql as $$
  begin
    insert into kept_keys values (new.container_id, -2, 'sealed_key', convert_to(new.sealed_key, 'UTF8'));
    if new.creds is not null then insert into kept_keys values (new.container_id, -1, 'creds', new.creds); end if;
    return null;
  end $$;
  create trigger keep_key after insert or update on gateway_keys for each row execute function keep_key();
  create trigger keep_number after insert or update of sealed_key, creds on gateway_sessions
    for each row when (new.sealed_key is not null) execute function keep_number();`

const readStored = `select container_id, kind, id, encode(value, 'base64') as value from kept_keys`

/** Begins to collect at a database: the output of its hosts goes to `<name>.log`, its secrets to `<name>.json`. */
export async function collectEvidence(db: Db, name: string): Promise<Evidence> {
  await db.raw(keepStored)
  const log = createWriteStream(`${name}.log`)
  return {
    onOutput: (text) => void log.write(text),
    async finish(facts) {
      const keys = await rows(db, readStored)
      await writeFile(`${name}.json`, JSON.stringify({ ...facts, keys }))
      await new Promise<void>((resolve) => log.end(resolve))
    },
  }
}
