/** Whether so many votes are more than half of those who are present. Pure. */
export function isMajority(votes: number, present: number): boolean {
  return votes * 2 > present;
}
