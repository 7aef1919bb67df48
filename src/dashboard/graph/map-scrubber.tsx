/// <reference lib="dom" />
import { useEffect, useRef, useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { manyIncidents } from "../entity/incident/incident-queries.ts";
import { useSignedIn } from "../base/session.ts";
import { plural } from "../ui/format.ts";
import { SEVERITY_ORDER } from "../ui/severity.ts";
import { Time } from "../ui/time/time.tsx";
import type { Range, Window } from "../base/time/range.ts";
import { DAY_MINUTES, lengthOf, LENGTHS, positionOf, rangeAt, scaleOf } from "./scrubber-scale.ts";

const HEIGHT = 26;
const LEAST = 4;
const STEP = 5;
/** The map is read again when the handle has rested for this time. */
const REST_MILLISECONDS = 250;
const VISIBLE = { suppressed: false };

interface ScrubberProps {
  window: Window;
  live: boolean;
  setRange: (range: Range) => void;
}

/** Moves the window over the last 24 hours; incidents are marked where they were active. */
export function MapScrubber({ window, live, setRange }: ScrubberProps) {
  const { tenant } = useSignedIn();
  const { data } = useQuery(manyIncidents(tenant, VISIBLE, { preset: "24h" }));
  const now = Date.now();
  const minutes = lengthOf(window);
  const given = live ? 0 : positionOf(window, now);
  const [position, setPosition] = useState(given);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => setPosition(given), [given]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const move = (next: number) => {
    setPosition(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setRange(rangeAt(next, minutes, Date.now())), REST_MILLISECONDS);
  };
  const whole = minutes >= DAY_MINUTES;
  const outside = given < -DAY_MINUTES;
  const end = DAY_MINUTES + position;
  const incidents = [...data?.data ?? []].sort((a, b) =>
    SEVERITY_ORDER.indexOf(b.severity) - SEVERITY_ORDER.indexOf(a.severity)
  );
  const shown = {
    // An incident may be longer than the track.
    from: whole ? Date.parse(window.from) : now + (position - minutes) * 60_000,
    to: now + position * 60_000,
  };
  return (
    <section className="map-scrubber" aria-label="Time">
      <span className="segments" role="group" aria-label="Length of the window">
        {LENGTHS.map((one) => (
          <button
            key={one.preset}
            type="button"
            className="segment"
            aria-pressed={minutes === one.minutes}
            onClick={() =>
              setRange(rangeAt(one.minutes === DAY_MINUTES ? 0 : position, one.minutes, Date.now()))}
          >
            {one.label}
          </button>
        ))}
      </span>
      <div className="scrubber-track">
        <svg viewBox={`0 0 ${DAY_MINUTES} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          <rect className="scrubber-day" width={DAY_MINUTES} height={HEIGHT} />
          {[6, 12, 18].map((hours) => (
            <path key={hours} className="grid-line" d={`M${hours * 60} 0V${HEIGHT}`} />
          ))}
          {incidents.map(({ id, severity, first_seen, last_seen }) => {
            const from = Math.min(scaleOf(first_seen, now), DAY_MINUTES - LEAST);
            const to = Math.max(scaleOf(last_seen, now), from + LEAST);
            const row = SEVERITY_ORDER.indexOf(severity);
            return (
              <rect
                key={id}
                className={`fill-${severity}`}
                x={from}
                y={2 + row * 4.6}
                width={to - from}
                height="3.6"
              />
            );
          })}
          {!outside && (
            <rect
              className="scrubber-window"
              x={Math.max(0, end - minutes)}
              y="0.75"
              width={Math.min(end, minutes)}
              height={HEIGHT - 1.5}
            />
          )}
        </svg>
        <input
          type="range"
          aria-label="End of the window"
          min={minutes - DAY_MINUTES}
          max={0}
          step={STEP}
          value={Math.max(minutes - DAY_MINUTES, position)}
          disabled={whole}
          aria-valuetext={position === 0 ? "now" : `${plural(-position, "minute")} ago`}
          onChange={(event) => move(Number(event.currentTarget.value))}
        />
      </div>
      <span className="scrubber-text small">
        {live && position === 0 ? <span className="soft">Up to now</span> : (
          <span>
            <Time at={new Date(shown.from).toISOString()} short /> to{" "}
            <Time at={new Date(shown.to).toISOString()} short />
          </span>
        )}
        {whole && <span className="muted">Choose a shorter window to move it</span>}
        {outside && <span className="muted">Before the last 24 hours</span>}
      </span>
      <button
        type="button"
        className="button button-small"
        disabled={live}
        onClick={() =>
          setRange(rangeAt(0, LENGTHS.some((one) => one.minutes === minutes) ? minutes : 60, now))}
      >
        Back to now
      </button>
    </section>
  );
}
