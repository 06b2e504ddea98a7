/** Maps items by an asynchronous function, several at the same time. Throws what a call throws; no further calls start then. */
export async function mapConcurrent<Item, Result>(
  items: readonly Item[],
  most: number,
  map: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results = new Array<Result>(items.length);
  let next = 0;
  let hasFailed = false;
  const lane = async (): Promise<void> => {
    while (next < items.length && !hasFailed) {
      const k = next++;
      try {
        results[k] = await map(items[k]);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: most }, lane));
  return results;
}
