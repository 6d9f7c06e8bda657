/**
 * The endpoints for people and their organizations by name. They are a table of their own, so that programs that only send
 * do not carry them. Clients include this table at run time, so it imports nothing but a type.
 */
import type { endpoints } from './endpoints.ts'

export const adminEndpoints = {
  auth: {
    signUp: 'POST /auth/sign-up',
    signIn: 'POST /auth/sign-in',
    signOut: 'POST /auth/sign-out',
    changePassword: 'PUT /auth/password',
  },
} as const

/** The type of both tables: resource, name, then `METHOD /path`. */
export type Endpoints = typeof endpoints & typeof adminEndpoints
