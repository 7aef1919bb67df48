/**
 * Score of an incident from the best score of each model that speaks about it: the chance that at least one
 * is right, were each score a chance ("noisy or"), one decimal. Never below the best of them, never above
 * 100, and no score more or higher ever lowers it.
 */
export function incidentScore(modelScores: Readonly<Record<string, number>>): number {
  const wrong = Object.values(modelScores).reduce(
    (product, score) => product * (1 - clampScore(score) / 100),
    1,
  );
  return Math.round((1 - wrong) * 1000) / 10;
}

function clampScore(score: number): number {
  return Math.min(100, Math.max(0, score));
}
