"""Cholesky factors and Jacobi eigenvalues of small symmetric matrices.

Sums run in a fixed order, so that equal matrices give equal bits on every machine.
"""

from __future__ import annotations

from math import sqrt

from errorest.compiled import both, within

# Jacobi rotations converge quadratically: 6 to 8 sweeps suffice for matrices of this size, and 12 bound the loop
_SWEEPS = 12

# An off-diagonal entry below this share of its diagonal entries is zero but for rounding (2**-52 is 2.2e-16)
_SETTLED = 1e-15


@both
def cholesky(A, floor, L):  # type: ignore[no-untyped-def]
    """Write the lower Cholesky factor of A into L, its diagonal as reciprocals; for compiled callers."""
    d = A.shape[0]
    for j in range(d):
        # L[j, j]^2 = A[j, j] - sum over k < j of L[j, k]^2 (Golub & Van Loan, Matrix Computations, section 4.2)
        pivot = A[j, j]
        for k in range(j):
            pivot -= L[j, k] * L[j, k]
        if not pivot > floor[j]:
            return False
        inverse = 1.0 / sqrt(pivot)
        L[j, j] = inverse
        for i in range(j + 1, d):
            # L[i, j] = (A[i, j] - sum over k < j of L[i, k] L[j, k]) / L[j, j]
            entry = A[i, j]
            for k in range(j):
                entry -= L[i, k] * L[j, k]
            L[i, j] = entry * inverse
    return True


@both
def solve(L, b, x):  # type: ignore[no-untyped-def]
    """Solve A x = b with the factor that :func:`cholesky` wrote; b and x may be one array."""
    d = L.shape[0]
    # L z = b from the top, then L' x = z from the bottom
    for i in range(d):
        entry = b[i]
        for k in range(i):
            entry -= L[i, k] * x[k]
        x[i] = entry * L[i, i]
    for i in range(d - 1, -1, -1):
        entry = x[i]
        for k in range(i + 1, d):
            entry -= L[k, i] * x[k]
        x[i] = entry * L[i, i]


@both
def eigen(A, V, vectors):  # type: ignore[no-untyped-def]
    """Turn A into a diagonal matrix of its eigenvalues, unsorted, by cyclic Jacobi rotations."""
    # small eigenvalues come out as exactly as the scales of the rows allow, unlike with a library's solver
    d = A.shape[0]
    if vectors:
        for i in range(d):
            for j in range(d):
                V[i, j] = 1.0 if i == j else 0.0
    for _ in range(_SWEEPS):
        rotated = False
        for a in range(d - 1):
            for b in range(a + 1, d):
                off = A[a, b]
                if abs(off) <= _SETTLED * sqrt(abs(A[a, a] * A[b, b])):
                    continue
                rotated = True
                # t = tan(angle) is the smaller root of t^2 + 2 half t - 1 = 0, which makes the entry vanish
                # (Golub & Van Loan, section 8.5)
                half = (A[b, b] - A[a, a]) / (2.0 * off)
                t = 1.0 / (abs(half) + sqrt(half * half + 1.0))
                if half < 0.0:
                    t = -t
                c = 1.0 / sqrt(t * t + 1.0)
                s = t * c
                first, second = A[a, a] - t * off, A[b, b] + t * off
                _turn(A, a, b, c, s)
                for k in range(d):
                    A[k, a] = A[a, k]
                    A[k, b] = A[b, k]
                A[a, a], A[b, b] = first, second
                A[a, b] = A[b, a] = 0.0
                if vectors:
                    _turn(V, a, b, c, s)
        if not rotated:
            break


@within
def _turn(M, a, b, c, s):  # type: ignore[no-untyped-def]
    """Rotate two rows."""
    for k in range(M.shape[1]):
        x, y = M[a, k], M[b, k]
        M[a, k] = c * x - s * y
        M[b, k] = s * x + c * y
