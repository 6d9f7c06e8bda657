import { defineColumns } from '../../output/columns.ts'

export const columns = defineColumns('name, phone, lid as Network id, saved, optedOut, id as Contact')
