import type { Db } from '#platform/db/db.ts'

/** One node of a plan, as `explain (format json)` returns it. */
interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Cond'?: string
  readonly Plans?: readonly PlanNode[]
}

/**
 * How the database would run the one statement that `run` makes on the connection it is given: its nodes as
 * 'Index Scan events' or 'Nested Loop'. A scan of an index without a condition is 'Full Index Scan events'. Of a
 * prepared statement it is the plan for whatever values come. Nothing is executed, so `run` finds the plan in place of
 * rows.
 */
export async function queryPlan(db: Db, run: (explaining: Db) => Promise<unknown>): Promise<string[]> {
  let plan: PlanNode | undefined
  async function explain(options: string, sql: string, bindings: Record<string, never> = {}) {
    const result = await db.raw(`explain (${options}) ${sql}`, bindings)
    plan = result.rows[0]['QUERY PLAN'][0].Plan
    return result
  }
  const raw = (sql: string, bindings: Record<string, never>) => explain('format json', sql, bindings)
  // What a prepared statement needs of Knex.
  const client = {
    raw: (...statement: never[]) => db.client.raw(...statement),
    acquireConnection: async () => undefined,
    releaseConnection: async () => undefined,
    query: async (_connection: undefined, { sql }: { sql: string }) => ({
      response: await explain('generic_plan, format json', sql),
    }),
  }
  await run({ raw, client, userParams: {} } as unknown as Db)
  if (!plan) throw new Error('no statement was run')
  return nodesOf(plan)
}

function nodesOf(node: PlanNode): string[] {
  const type = node['Node Type']
  const isFull = /^Index (Only )?Scan/.test(type) && node['Index Cond'] === undefined
  const name = [isFull && 'Full', type, node['Relation Name']].filter(Boolean).join(' ')
  return [name, ...(node.Plans ?? []).flatMap(nodesOf)]
}
