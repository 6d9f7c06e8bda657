import { defineColumns } from '../../output/columns.ts'

export const columns = defineColumns('webhookUrl as URL, signingSecret as Secret')
