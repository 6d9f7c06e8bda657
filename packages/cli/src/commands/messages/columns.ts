import { defineColumns } from '../../output/columns.ts'

/** The columns of a message. */
export const messageColumns = defineColumns(
  'id as Message, status, recipient as To',
  { field: 'content', title: 'Text', long: true },
  'type',
  { field: 'priority', title: 'Priority', spare: true },
  'containerId as Number',
  { field: 'sentBy', title: 'Sent by', spare: true },
  'clientReference as Reference, error, attempts, createdAt as Created, sentAt as Sent, deliveredAt as Delivered',
  'readAt as Read',
)

export function withoutSuccess<T extends { readonly success: true }>({
  success: _always,
  ...rest
}: T): Omit<T, 'success'> {
  return rest
}
