import { type Db, rows } from '#platform/db/db.ts'

/** Every change of the service's clock, with the time of the machine. */
const keepChanges = `
  create unlogged table kept_clocks (id bigint generated always as identity, at timestamptz, offset_ms bigint,
      frozen_at timestamptz);
  insert into kept_clocks (at, offset_ms, frozen_at) select 'epoch', offset_ms, frozen_at from service_clock;
  create function keep_clock() returns trigger language plpgsql as $$
  begin
    insert into kept_clocks (at, offset_ms, frozen_at) values (clock_timestamp(), new.offset_ms, new.frozen_at);
    return null;
  end $$;
  create trigger keep_clock after insert or update on service_clock for each row execute function keep_clock();`

const readTime = `
  select coalesce(frozen_at, :at::timestamptz + offset_ms * interval '1 ms') as time from kept_clocks
   where at <= :at::timestamptz order by id desc limit 1`

/** The service's clock in the past: a network of its own has the time of the machine. */
export interface KeptClock {
  /** Returns what the service time was at a time of this machine, in milliseconds since 1970. */
  at(ms: number): Promise<Date>
}

/** Begins to keep the changes of the service's clock. */
export async function keepClock(db: Db): Promise<KeptClock> {
  await db.raw(keepChanges)
  return {
    async at(ms) {
      const [found] = await rows<{ time: Date }>(db, readTime, { at: new Date(ms) })
      return found?.time ?? new Date(ms)
    },
  }
}
