import { getCreateIndexesSQL, getCreateTableSQL, getUpdateTimestampTriggerSQL } from '@agendajs/postgres-backend'

/** The name of agenda's table; the schema of its package is applied here, because processes that start together and each create it themselves fail. */
export const agendaTable = 'agenda_jobs'

/** The table of the periodic jobs, by the schema that the package itself publishes. */
export const agendaJobs = [
  getCreateTableSQL(agendaTable),
  ...getCreateIndexesSQL(agendaTable),
  getUpdateTimestampTriggerSQL(agendaTable),
].join(';\n')
