/// <reference lib="dom" />
import { type ReactNode, useEffect, useId, useRef, useState } from "react";

interface PopoverProps {
  /** The button's accessible name, if its content is not text. */
  label?: string;
  title?: string;
  /** The button's content. */
  button: ReactNode;
  className?: string;
  panelClass?: string;
  disabled?: boolean;
  onOpen?: () => void;
  children: (close: () => void) => ReactNode;
}

/** A button and the panel that it opens; Escape, a click outside or the focus elsewhere closes it. */
export function Popover(props: PopoverProps) {
  const { label, title, button, className = "button", panelClass = "", onOpen, children } = props;
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const panel = useId();
  useEffect(() => {
    if (!open) return;
    const outside = (event: Event) => {
      if (event.target instanceof Node && !box.current?.contains(event.target)) setOpen(false);
    };
    document.addEventListener("pointerdown", outside);
    document.addEventListener("focusin", outside);
    return () => {
      document.removeEventListener("pointerdown", outside);
      document.removeEventListener("focusin", outside);
    };
  }, [open]);
  const close = () => {
    setOpen(false);
    opener.current?.focus();
  };
  return (
    <div
      className="popover"
      ref={box}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !open) return;
        event.stopPropagation();
        event.preventDefault();
        close();
      }}
    >
      <button
        type="button"
        className={className}
        ref={opener}
        aria-expanded={open}
        aria-controls={open ? panel : undefined}
        aria-label={label}
        title={title}
        onClick={() => {
          if (!open) onOpen?.();
          setOpen(!open);
        }}
      >
        {button}
      </button>
      {open && <div className={`panel ${panelClass}`} id={panel}>{children(close)}</div>}
    </div>
  );
}
