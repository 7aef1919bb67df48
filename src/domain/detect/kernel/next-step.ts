/** The least of 1, 2, 5, 10, 20, 50, … above `count`: how many records cause the next evaluation. */
export function nextStep(count: number): number {
  for (let power = 1;; power *= 10) {
    for (const step of [power, 2 * power, 5 * power]) if (step > count) return step;
  }
}
