import { randomBytes } from 'node:crypto'
import { connect, rows, transaction } from './db.ts'

/** The role with which the service uses a Postgres of its own. */
const role = 'msgctl'

/**
 * Gives a database of our own to a role without the rights of a superuser, and returns the URL with which that role
 * connects. Everything that a superuser made there before becomes the role's, but for extensions. So what runs with the
 * rights of the service cannot read or write files, or start programs.
 */
export async function openAsPlainRole(superuserUrl: string): Promise<string> {
  const password = randomBytes(24).toString('hex')
  const superuser = connect(superuserUrl, { poolMax: 1, applicationName: 'msgctl setup' })
  try {
    await transaction(superuser, async (trx) => {
      // A statement about roles takes no values.
      await rows(trx, `select set_config('msgctl.password', :password, true)`, { password })
      await rows(trx, ownershipSql)
    })
  } finally {
    await superuser.destroy()
  }
  const url = new URL(superuserUrl)
  url.username = role
  url.password = password
  return url.href
}

const ownershipSql = `
do $$
declare
  own record;
begin
  if not exists (select from pg_roles where rolname = 'msgctl') then
    create role msgctl;
  end if;
  execute format('alter role msgctl login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password %L',
                 current_setting('msgctl.password'));
  -- The owner of a database owns its schema public too.
  execute format('alter database %I owner to msgctl', current_database());
  for own in
    select c.oid::regclass as name from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'S')
       and c.relowner <> 'msgctl'::regrole
       and not exists (select from pg_depend d
                        where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('e', 'i', 'a'))
  loop
    execute format('alter table %s owner to msgctl', own.name);
  end loop;
  for own in
    select p.oid::regprocedure as name from pg_proc p
     where p.pronamespace = 'public'::regnamespace and p.proowner <> 'msgctl'::regrole
       and not exists (select from pg_depend d
                        where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
  loop
    execute format('alter routine %s owner to msgctl', own.name);
  end loop;
end $$`
