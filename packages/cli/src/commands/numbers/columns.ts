import { type Column, defineColumns } from '../../output/columns.ts'

export const columns = defineColumns(
  'label, phoneNumber as Phone, status, isDefault as Default',
  { field: 'hasApiKey', title: 'Key', show: (has) => (has === true ? 'own' : '-') },
  'id',
)

/** For lists with a number whose queue is held. */
export const withHeld: readonly Column[] = columns.flatMap((column) =>
  column.field === 'status'
    ? [column, { field: 'queueHeld', title: 'Queue', show: (held: unknown) => (held === true ? 'HELD' : '-') }]
    : [column],
)

export const stateColumns = defineColumns(
  'label, phoneNumber as Phone, containerId as Number id, status, me.pushName as Linked as, action.type as Action',
  'action.message as Reason, manager.uptime, manager.retryCount as Retries, manager.queuesPaused as Queue paused',
  'manager.lastError, engine, networkWarning as Warning',
)

export const movedColumns = defineColumns('status, message')
