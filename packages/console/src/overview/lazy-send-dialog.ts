import lazy from 'preact-iso/lazy'

/** The dialog that sends a message, loaded when it is first opened. */
export const SendDialog = lazy(() => import('./send-dialog.tsx').then(({ SendDialog }) => SendDialog))
