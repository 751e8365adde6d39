// The target band of the house edge, written as in a request: "4%..5%", "..5%", "4%.." or "4.5%".

/** The ends of a band as numbers; null if the text is not a band. An open end is infinite. */
export function parseBand(text) {
  const [lowText, highText = lowText] = text.split("..").map((end) => end.trim());
  if (text.split("..").length > 2 || (!lowText && !highText)) return null;
  const parse = (end, open) => {
    if (!end) return open;
    const match = end.match(/^([-−]?\d+(?:\.\d+)?)\s*%$/);
    return match ? Number(match[1].replace("−", "-")) / 100 : NaN;
  };
  const [low, high] = [parse(lowText, -Infinity), parse(highText, Infinity)];
  return Number.isNaN(low) || Number.isNaN(high) || low > high ? null : { low, high };
}

/** The band with percent signs: "6" becomes "6%", "4..5" becomes "4%..5%". */
export const withPercentSigns = (text) => text.replace(/(\d)\s*(?=\.\.|$)/g, "$1%");

/** Where an edge lies: "in", "low" (below the band) or "high"; null without a band or an edge. */
export function placeInBand(edge, band) {
  if (!band || edge === undefined || edge === null) return null;
  return Number(edge) < band.low ? "low" : Number(edge) > band.high ? "high" : "in";
}
