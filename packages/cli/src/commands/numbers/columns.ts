import type { Column } from '../../output/columns.ts'

export const columns: readonly Column[] = [
  { field: 'label', title: 'Label' },
  { field: 'phoneNumber', title: 'Phone' },
  { field: 'status', title: 'Status' },
  { field: 'isDefault', title: 'Default' },
  { field: 'hasApiKey', title: 'Key', show: (has) => (has === true ? 'own' : '-') },
  { field: 'id', title: 'Id' },
]

/** For lists with a number whose queue is held. */
export const withHeld: readonly Column[] = columns.flatMap((column) =>
  column.field === 'status'
    ? [column, { field: 'queueHeld', title: 'Queue', show: (held: unknown) => (held === true ? 'HELD' : '-') }]
    : [column],
)

export const stateColumns: readonly Column[] = [
  { field: 'label', title: 'Label' },
  { field: 'phoneNumber', title: 'Phone' },
  { field: 'containerId', title: 'Number id' },
  { field: 'status', title: 'Status' },
  { field: 'me.pushName', title: 'Linked as' },
  { field: 'action.type', title: 'Action' },
  { field: 'action.message', title: 'Reason' },
  { field: 'manager.uptime', title: 'Uptime' },
  { field: 'manager.retryCount', title: 'Retries' },
  { field: 'manager.queuesPaused', title: 'Queue paused' },
  { field: 'manager.lastError', title: 'Last error' },
  { field: 'engine', title: 'Engine' },
  { field: 'networkWarning', title: 'Warning' },
]

export const movedColumns: readonly Column[] = [
  { field: 'status', title: 'Status' },
  { field: 'message', title: 'Message' },
]
