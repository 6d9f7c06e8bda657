/** Returns the session of a sign-in. Throws when the second step is missing. */
export async function sessionOf<T extends { readonly twoFactorRequired: boolean }>(
  signIn: Promise<T>,
): Promise<Extract<T, { readonly twoFactorRequired: false }>> {
  const answer = await signIn
  if (answer.twoFactorRequired) throw new Error('the sign-in takes a second step')
  return answer as Extract<T, { readonly twoFactorRequired: false }>
}
