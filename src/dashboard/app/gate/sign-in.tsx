/// <reference lib="dom" />
import { Logo } from "../../ui/icons.tsx";
import { useTitle } from "../../ui/page.tsx";

/** Shown without a session; sign-in returns to the same address. */
export function SignIn() {
  useTitle("Sign in");
  const here = location.pathname + location.search;
  return (
    <main className="gate">
      <div className="gate-card">
        <Logo size={44} />
        <h1>NDR</h1>
        <p className="soft">
          Network detection and response. Sign in to investigate your network.
        </p>
        <a
          className="button button-primary button-large"
          href={`/auth/login?return_to=${encodeURIComponent(here)}`}
        >
          Sign in
        </a>
      </div>
    </main>
  );
}
