import { type Db, rows } from '#platform/db/db.ts'
import type { Erasable } from './plan.ts'

/**
 * Returns every table with the data of organizations: those that name the organization, those that name one of its
 * numbers, and those that refer to such a table. New tables are found by their columns, so that no list has to be kept.
 */
export async function readErasable(db: Db): Promise<Erasable[]> {
  return rows<Erasable>(
    db,
    `with tables as (
       select c.oid, c.relname as name,
              o.attnum is not null as has_organization, n.attnum is not null as has_number,
              exists (select from pg_index i where i.indrelid = c.oid and i.indkey[0] = o.attnum and i.indpred is null)
                as is_indexed
         from pg_class c
         left join pg_attribute o on o.attrelid = c.oid and o.attname = 'organization_id'
         left join pg_attribute n on n.attrelid = c.oid and n.attname = 'container_id'
        where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
          and c.relname not in ('organizations', 'erasures', 'users')
     ), keys as (
       select k.conrelid as child, k.confrelid as parent, a.attname as "column", p.attname as parent_column
         from pg_constraint k
         join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
         join pg_attribute p on p.attrelid = k.confrelid and p.attnum = k.confkey[1]
        where k.contype = 'f' and cardinality(k.conkey) = 1
     ), found as (
       select child, t.name as parent, "column", parent_column
         from keys join tables t on t.oid = keys.parent where t.has_organization
       union
       select t.oid, 'numbers', 'container_id', 'id' from tables t where t.has_number
     )
     select t.name as table, t.has_organization, t.is_indexed,
            coalesce(jsonb_agg(jsonb_build_object(
                'column', f."column", 'parent', f.parent, 'parentColumn', f.parent_column)
                  order by f.parent, f."column")
              filter (where f.child is not null), '[]') as references
       from tables t left join found f on f.child = t.oid
      where t.has_organization or f.child is not null
      group by t.name, t.has_organization, t.is_indexed order by t.name`,
  )
}
