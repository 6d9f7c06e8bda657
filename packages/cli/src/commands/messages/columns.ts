import type { Column } from '../../output/columns.ts'

/** The columns of a message. */
export const messageColumns: readonly Column[] = [
  { field: 'id', title: 'Message' },
  { field: 'status', title: 'Status' },
  { field: 'recipient', title: 'To' },
  { field: 'content', title: 'Text', long: true },
  { field: 'type', title: 'Type' },
  { field: 'priority', title: 'Priority', spare: true },
  { field: 'containerId', title: 'Number' },
  { field: 'sentBy', title: 'Sent by', spare: true },
  { field: 'clientReference', title: 'Reference' },
  { field: 'error', title: 'Error' },
  { field: 'attempts', title: 'Attempts' },
  { field: 'createdAt', title: 'Created' },
  { field: 'sentAt', title: 'Sent' },
  { field: 'deliveredAt', title: 'Delivered' },
  { field: 'readAt', title: 'Read' },
]

export function withoutSuccess<T extends { readonly success: true }>({
  success: _always,
  ...rest
}: T): Omit<T, 'success'> {
  return rest
}
