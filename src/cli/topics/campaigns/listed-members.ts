// By what a new campaign is recognized in the list of campaigns, after a lost answer.

/** Returns the members of a new campaign that a list shows as they were sent: codes are made in the background, and a category is listed by its id. */
export function listedMembers(body: object): object {
  const { vouchers_count: _, category: __, ...listed } = body as Record<string, unknown>
  return listed
}
