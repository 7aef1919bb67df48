// Line icons on a 16-pixel grid, drawn for this dashboard; always labelled.

const PATHS = {
  overview: "M2.5 2.5h4.5v6h-4.5zM9 2.5h4.5v3.5H9zM9 8.5h4.5v5H9zM2.5 11h4.5v2.5h-4.5z",
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
  right: "M2.5 8h11M9.5 4l4 4-4 4",
  copy: "M5.5 5.5h8v8h-8zM3.5 10.5h-1v-8h8v1",
  check: "M3 8.5l3.2 3.2L13 4.8",
  clock: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 4.8V8l2.2 1.6",
  sun:
    "M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM8 1.5v1.2M8 13.3v1.2M1.5 8h1.2M13.3 8h1.2M3.4 3.4l.9.9M11.7 11.7l.9.9M12.6 3.4l-.9.9M4.3 11.7l-.9.9",
  moon: "M13.2 9.6A5.6 5.6 0 0 1 6.4 2.8a5.6 5.6 0 1 0 6.8 6.8z",
  system: "M2 3h12v8H2zM5.5 13.5h5",
  leave: "M9.5 2.5h-6v11h6M6.5 8h7.5M11.3 5.2 14 8l-2.7 2.8",
  edit: "M3 13l.6-2.8 7.2-7.2 2.2 2.2-7.2 7.2zM9.4 4.4l2.2 2.2",
  api: "M5.5 4.5 2 8l3.5 3.5M10.5 4.5 14 8l-3.5 3.5",
  keyboard: "M1.8 4h12.4v8H1.8zM4.5 9.5h7M4.3 6.7h.1M6.8 6.7h.1M9.2 6.7h.1M11.6 6.7h.1",
  warning: "M8 2.2 14.2 13H1.8zM8 6.4v3.2M8 11.3v.1",
  lock: "M3.5 7.5h9v6h-9zM5.5 7.5V5a2.5 2.5 0 0 1 5 0v2.5",
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
