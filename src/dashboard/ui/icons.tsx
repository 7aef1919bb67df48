// Line icons on a 16-pixel grid, drawn for this dashboard; always labelled.

const PATHS = {
  overview: "M2.5 2.5h4.5v6h-4.5zM9 2.5h4.5v3.5H9zM9 8.5h4.5v5H9zM2.5 11h4.5v2.5h-4.5z",
  brief: "M3.5 2h6l3 3v9h-9zM9.5 2v3h3M6 8h4M6 10.8h4",
  incidents: "M8 2.2 14.2 13H1.8zM8 6.4v3.2M8 11.3v.1",
  devices: "M2 3h12v8H2zM5.5 13.5h5M8 11v2.5",
  flows: "M2.5 5.5h10M10 3l2.5 2.5L10 8M13.5 10.5h-10M6 8l-2.5 2.5L6 13",
  suppress: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM3.8 3.8l8.4 8.4",
  audit: "M3.5 2h9v12h-9zM6 5.5h4M6 8h4M6 10.5h2.5",
  health: "M1.5 8.5h3l1.8-5 3 9 2-4h3.2",
  menu: "M2.5 4.5h11M2.5 8h11M2.5 11.5h11",
  close: "M4 4l8 8M12 4l-8 8",
  search: "M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.7 10.7l3 3",
  refresh: "M13.3 6.5A5.6 5.6 0 1 0 13.6 9M13.6 2.8v3.7H9.9",
  chevron: "M6 4l4 4-4 4",
  down: "M4 6l4 4 4-4",
  up: "M4 10l4-4 4 4",
  columns: "M2.5 3h11v10h-11zM6.2 3v10M9.8 3v10",
  right: "M2.5 8h11M9.5 4l4 4-4 4",
  copy: "M5.5 5.5h8v8h-8zM3.5 10.5h-1v-8h8v1",
  check: "M3 8.5l3.2 3.2L13 4.8",
  clock: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 4.8V8l2.2 1.6",
  sun:
    "M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM8 1.5v1.2M8 13.3v1.2M1.5 8h1.2M13.3 8h1.2M3.4 3.4l.9.9M11.7 11.7l.9.9M12.6 3.4l-.9.9M4.3 11.7l-.9.9",
  moon: "M13.2 9.6A5.6 5.6 0 0 1 6.4 2.8a5.6 5.6 0 1 0 6.8 6.8z",
  system: "M2 3h12v8H2zM5.5 13.5h5",
  decision: "M8 2v12M4 13.8h8M2.5 5h11M2.5 5 1 9.2h3L2.5 5zM13.5 5 12 9.2h3L13.5 5z",
  feedback: "M2.5 3h11v7.5h-6L4.5 13v-2.5h-2zM5.2 6.8l1.9 1.6 3.7-3.2",
  heartbeat:
    "M8 13.5C3.8 10.6 2 8.4 2 6a3.2 3.2 0 0 1 6-1.6A3.2 3.2 0 0 1 14 6c0 2.4-1.8 4.6-6 7.5zM4.5 7.5h2l1-1.8 1.3 3 .8-1.2h1.9",
  settings:
    "M2.5 4.5h5M11 4.5h2.5M9.2 6.2a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4zM2.5 11.5H5M8.5 11.5h5M6.8 13.2a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4z",
  help: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM6.2 6.3a1.8 1.8 0 1 1 2.6 1.6c-.6.3-.8.6-.8 1.3M8 11.2v.1",
  leave: "M9.5 2.5h-6v11h6M6.5 8h7.5M11.3 5.2 14 8l-2.7 2.8",
  edit: "M3 13l.6-2.8 7.2-7.2 2.2 2.2-7.2 7.2zM9.4 4.4l2.2 2.2",
  api: "M5.5 4.5 2 8l3.5 3.5M10.5 4.5 14 8l-3.5 3.5",
  keyboard: "M1.8 4h12.4v8H1.8zM4.5 9.5h7M4.3 6.7h.1M6.8 6.7h.1M9.2 6.7h.1M11.6 6.7h.1",
  warning: "M8 2.2 14.2 13H1.8zM8 6.4v3.2M8 11.3v.1",
  saved: "M4 2.5h8v11l-4-3-4 3z",
  download: "M8 2.5v7M5 6.8l3 3 3-3M3 13h10",
  more: "M3.5 8v.1M8 8v.1M12.5 8v.1",
  user: "M8 8a2.6 2.6 0 1 0 0-5.2A2.6 2.6 0 0 0 8 8zM2.8 13.6a5.2 5.2 0 0 1 10.4 0",
  fingerprint:
    "M4 12.5c.8-1.4 1-2.8 1-4.3a3 3 0 0 1 6 0c0 2-.3 3.6-1 5.3M8 8.2c0 2-.3 3.6-1.1 5.3M2.6 9.6A5.5 5.5 0 0 1 8 2.6a5.5 5.5 0 0 1 5.4 6.6",
  signature: "M2.5 3h11v7.5h-6L4.5 13v-2.5h-2zM8 5v2.5M8 8.8v.1",
  table: "M2 3h12v10H2zM2 6.3h12M2 9.7h12M6.5 6.3V13",
  chart: "M2.5 2.5v11h11M5.5 11V8M8.5 11V5M11.5 11V7",
  bell: "M4 11.5V7a4 4 0 0 1 8 0v4.5l1 1H3zM6.8 14h2.4",
  pause: "M5.5 3.5v9M10.5 3.5v9",
  play: "M5 3.2 12.5 8 5 12.8z",
  back: "M10 4 6 8l4 4",
  "zoom-out": "M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.7 10.7l3 3M5 7h4",
  lock: "M3.5 7.5h9v6h-9zM5.5 7.5V5a2.5 2.5 0 0 1 5 0v2.5",
  map:
    "M3.5 5a1.8 1.8 0 1 0 0-3.6A1.8 1.8 0 0 0 3.5 5zM12.3 7.8a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6zM6 14.4a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6zM5.1 3.9l5.5 1.5M4 4.9l1.5 6M7.2 11.3l3.8-4",
  globe:
    "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM2 8h12M8 2c2 1.8 2.7 3.8 2.7 6S10 12.2 8 14C6 12.2 5.3 10.2 5.3 8S6 3.8 8 2z",
  plus: "M8 3.5v9M3.5 8h9",
  minus: "M3.5 8h9",
  fit: "M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10M6.5 6.5h3v3h-3z",
  expand: "M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, className = "" }: { name: IconName; className?: string }) {
  return (
    <svg className={`icon ${className}`} viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

/** The favicon's mark for use in pages. */
export function Logo({ size = 22 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="#17314a" />
      <g fill="none" stroke="#8fd3e8" strokeWidth="2.4" strokeLinecap="round">
        <path d="M16 26a10 10 0 1 1 8.7-14.9" opacity=".55" />
        <path d="M16 20.6a4.6 4.6 0 1 1 4-6.9" />
        <path d="M16 16l7.2 5.4" stroke="#f5b35c" />
      </g>
      <circle cx="24.4" cy="22.3" r="2.9" fill="#f5b35c" />
      <circle cx="16" cy="16" r="1.7" fill="#fff" />
    </svg>
  );
}
