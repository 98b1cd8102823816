"""Logistic regression as scikit-learn has it: not the optimum, but the point before it where its solver stops.

The iterates are those of the solver up to rounding: L-BFGS with ten pairs (Liu & Nocedal 1989) from zero, and the line
search of Moré & Thuente (1994).  Rows on which rounding might decide where the solver goes or stops, or that reach the
largest number of iterations, or thirty, are left to scikit-learn.
"""

from __future__ import annotations

from math import exp, inf, log, log1p, sqrt

import numpy as np

from errorest.compiled import inner, kernel
from errorest.learners.equals.batch import count_classes, decide
from errorest.resampling.multisets import training_row

# Pairs of steps and changes of the gradient that the solver remembers
_PAIRS = 10
# An accepted step lowers the loss by this share of what the slope promises, and the slope to this share of itself
_DECREASE, _CURVATURE = 1e-3, 0.9
# The solver also stops where the loss falls by less than this share of it (at least of 1)
_LEAST_FALL = 64 * 2.0**-52
# More iterations than this amplify rounding: 30 give probabilities to 1e-9, 50 may not
_MOST_ITERATIONS = 30
# Trials and the longest step of one line search
_MOST_TRIALS, _LONGEST = 20, 1e10
# Comparisons of slopes that differ by less than this share are left open, and those of losses within their rounding
_NEAR, _ROUNDING = 1e-6, 1e-13


@inner
def _loss(Z, y, weights, m, w, lines, ridge, intercept, raw, gradient):  # type: ignore[no-untyped-def]
    """Return the mean log loss and ridge |w|^2 / 2, and write the gradient.

    w has d coefficients, and the intercept where there is one, for each class; of two classes for the second alone.
    """
    d = Z.shape[1]
    width = w.shape[0] // lines
    total = 0.0
    for j in range(w.shape[0]):
        gradient[j] = 0.0
    for i in range(Z.shape[0]):
        if weights[i] == 0:
            continue
        for c in range(lines):
            raw[c] = w[c * width + d] if intercept else 0.0
            for a in range(d):
                raw[c] += w[c * width + a] * Z[i, a]
        if lines == 1:
            # log(1 + e^s) - y s, and its derivative 1 / (1 + e^-s) - y, by an exponential that cannot overflow
            power = exp(-abs(raw[0]))
            total += weights[i] * (log1p(power) + max(raw[0], 0.0) - y[i] * raw[0])
            raw[0] = (1.0 if raw[0] >= 0.0 else power) / (1.0 + power) - y[i]
        else:
            # log sum_c e^(s_c) - s_y, and its derivatives: the probabilities, less 1 for the class
            largest, powers = -inf, 0.0
            for c in range(lines):
                largest = max(largest, raw[c])
            of_class = raw[y[i]] - largest
            for c in range(lines):
                raw[c] = exp(raw[c] - largest)
                powers += raw[c]
            total += weights[i] * (log(powers) - of_class)
            for c in range(lines):
                raw[c] = raw[c] / powers - (c == y[i])
        for c in range(lines):
            slope = weights[i] * raw[c]
            for a in range(d):
                gradient[c * width + a] += slope * Z[i, a]
            if intercept:
                gradient[c * width + d] += slope
    total /= m
    for j in range(w.shape[0]):
        gradient[j] /= m
        if j % width < d:  # the intercept is not penalized
            gradient[j] += ridge * w[j]
            total += 0.5 * ridge * w[j] * w[j]
    return total


@inner
def _dot(one, other):  # type: ignore[no-untyped-def]
    total = 0.0
    for j in range(one.shape[0]):
        total += one[j] * other[j]
    return total


@inner
def _descend(gradient, steps, changes, curvature, used, newest, share, direction):  # type: ignore[no-untyped-def]
    """Write minus the inverse Hessian times the gradient, by the two-loop recursion."""
    for j in range(gradient.shape[0]):
        direction[j] = -gradient[j]
    for back in range(used):
        k = (newest - back) % _PAIRS
        share[k] = _dot(steps[k], direction) / curvature[k]
        for j in range(gradient.shape[0]):
            direction[j] -= share[k] * changes[k, j]
    if used > 0:
        # the identity is scaled by s'y / y'y of the last pair
        scale = curvature[newest] / _dot(changes[newest], changes[newest])
        for j in range(gradient.shape[0]):
            direction[j] *= scale
    for back in range(used - 1, -1, -1):
        k = (newest - back) % _PAIRS
        change = share[k] - _dot(changes[k], direction) / curvature[k]
        for j in range(gradient.shape[0]):
            direction[j] += change * steps[k, j]


@inner
def _trial(search, step, value, slope, bracketed, low, high):  # type: ignore[no-untyped-def]
    """Return the next step, whether an interval is known to hold a minimum, and whether both are sure.

    search holds step, value and slope of the best trial and of the other end of the interval; it is updated.  The four
    cases are those of Moré & Thuente (1994), section 4.
    """
    best, best_value, best_slope = search[0], search[1], search[2]
    opposite = slope * best_slope < 0.0
    # rounding might decide which value is less, whether slopes have the same sign, and which is less steep
    sure = abs(value - best_value) > _ROUNDING * max(1.0, abs(value)) and abs(slope) > _NEAR * abs(best_slope)
    sure = sure and abs(abs(slope) - abs(best_slope)) > _NEAR * abs(best_slope)
    # the minimum of the cubic through both values and slopes, and of a parabola through two or three of these
    theta = 3.0 * (best_value - value) / (step - best) + best_slope + slope
    gamma = sqrt(max(0.0, theta * theta - best_slope * slope))
    forwards = 1.0 if step > best else -1.0
    if value > best_value:
        gamma *= forwards
        cubic = best + (gamma - best_slope + theta) / (gamma - best_slope + gamma + slope) * (step - best)
        mean_slope = (best_value - value) / (step - best)
        parabola = best + 0.5 * best_slope / (mean_slope + best_slope) * (step - best)
        following = cubic if abs(cubic - best) < abs(parabola - best) else cubic + 0.5 * (parabola - cubic)
        bracketed = True
    elif opposite:
        gamma *= -forwards
        cubic = step + (gamma - slope + theta) / (gamma - slope + gamma + best_slope) * (best - step)
        parabola = step + slope / (slope - best_slope) * (best - step)
        following = cubic if abs(cubic - step) > abs(parabola - step) else parabola
        bracketed = True
    elif abs(slope) < abs(best_slope):
        gamma *= -forwards
        ratio = (gamma - slope + theta) / (gamma + best_slope - slope + gamma)
        sure = sure and abs(ratio) > _NEAR
        cubic = high if forwards > 0.0 else low
        if ratio < 0.0 and gamma != 0.0:
            cubic = step + ratio * (best - step)
        parabola = step + slope / (slope - best_slope) * (best - step)
        # inside an interval the nearer one, outside the farther one
        following = cubic if (abs(cubic - step) < abs(parabola - step)) == bracketed else parabola
        if bracketed:
            farthest = step + 0.66 * (search[3] - step)
            following = min(farthest, following) if forwards > 0.0 else max(farthest, following)
        else:
            following = max(low, min(high, following))
    elif bracketed:
        other, other_value, other_slope = search[3], search[4], search[5]
        theta = 3.0 * (value - other_value) / (other - step) + other_slope + slope
        gamma = sqrt(max(0.0, theta * theta - other_slope * slope)) * (-1.0 if step > other else 1.0)
        following = step + (gamma - slope + theta) / (gamma - slope + gamma + other_slope) * (other - step)
    else:
        following = high if forwards > 0.0 else low
    if value > best_value:
        search[3], search[4], search[5] = step, value, slope
    else:
        if opposite:
            search[3], search[4], search[5] = best, best_value, best_slope
        search[0], search[1], search[2] = step, value, slope
    return following, bracketed, sure


@inner
def _shift(search, slope):  # type: ignore[no-untyped-def]
    """Subtract a line through the start of the search from values, and its slope from slopes."""
    for end in range(0, 6, 3):
        search[end + 1] -= search[end] * slope
        search[end + 2] -= slope


@inner
def _search(Z, y, weights, m, lines, ridge, intercept, raw, work, search, value, slope, step):  # type: ignore[no-untyped-def]
    """Return an accepted step along the direction, with loss and slope there; 0 where rounding might decide."""
    w, gradient, direction, start, _ = work
    # of the line that a step must stay below
    least = _DECREASE * slope
    for end in range(0, 6, 3):
        search[end], search[end + 1], search[end + 2] = 0.0, value, slope
    low, high, width, wider = 0.0, 5.0 * step, _LONGEST, 2.0 * _LONGEST
    bracketed, first_stage = False, True
    for _ in range(_MOST_TRIALS):
        for j in range(w.shape[0]):
            w[j] = start[j] + step * direction[j]
        reached = _loss(Z, y, weights, m, w, lines, ridge, intercept, raw, gradient)
        now = _dot(gradient, direction)
        below, flat = value + step * least - reached, -_CURVATURE * slope - abs(now)
        if abs(below) <= _ROUNDING * max(abs(value), 1.0) or abs(flat) <= -_NEAR * slope:
            break
        if below > 0.0 and flat > 0.0:
            return step, reached, now
        if bracketed and (not low < step < high or high - low <= 0.1 * high * (1.0 + _NEAR)):
            break  # the solver gives up, with a warning
        if below > 0.0 and now >= 0.0:
            first_stage = False
        # in the first stage a minimum of the loss less that line is looked for, if the step is too high above it
        shifted = first_stage and below < 0.0 and reached <= search[1]
        if shifted:
            _shift(search, least)
            following, bracketed, sure = _trial(search, step, reached - step * least, now - least, bracketed, low, high)
            _shift(search, -least)
        else:
            following, bracketed, sure = _trial(search, step, reached, now, bracketed, low, high)
        if not sure:
            break
        step = following
        if bracketed:
            # an interval that has not shrunk enough in two trials is halved
            if abs(search[3] - search[0]) >= 0.66 * wider:
                step = search[0] + 0.5 * (search[3] - search[0])
            wider, width = width, abs(search[3] - search[0])
            low, high = min(search[0], search[3]), max(search[0], search[3])
        else:
            low, high = step + 1.1 * (step - search[0]), step + 4.0 * (step - search[0])
        step = max(0.0, min(_LONGEST, step))
        if bracketed and (not low < step < high or high - low <= 0.1 * high):
            break
    return 0.0, value, slope


@inner
def _minimize(Z, y, weights, m, lines, ridge, rule, raw, work, search, steps, changes, curvature, share):  # type: ignore[no-untyped-def]
    """Write the coefficients where the solver stops to the first line of work; False where that is not sure."""
    _, tolerance, most_iterations, intercept, _ = rule
    w, gradient, direction, start, before = work
    for j in range(w.shape[0]):
        w[j] = 0.0
    value = _loss(Z, y, weights, m, w, lines, ridge, intercept, raw, gradient)
    used, newest = 0, -1
    for iteration in range(min(most_iterations, _MOST_ITERATIONS + 1)):
        steepest = 0.0
        for j in range(w.shape[0]):
            steepest = max(steepest, abs(gradient[j]))
        if abs(steepest - tolerance) <= _NEAR * tolerance:
            return False
        if steepest < tolerance:
            return True
        _descend(gradient, steps, changes, curvature, used, newest, share, direction)
        slope = _dot(gradient, direction)
        if not slope < 0.0:
            return False
        for j in range(w.shape[0]):
            start[j], before[j] = w[j], gradient[j]
        # the first step has length 1, later ones are tried at the minimum of the quadratic model
        first = 1.0 / sqrt(_dot(direction, direction)) if iteration == 0 else 1.0
        step, reached, now = _search(Z, y, weights, m, lines, ridge, intercept, raw, work, search, value, slope, first)
        fall = value - reached
        # it also stops where the loss hardly falls, which rounding decides
        if step == 0.0 or fall < 2.0 * _LEAST_FALL * max(abs(value), abs(reached), 1.0):
            return False
        value = reached
        newest, used = (newest + 1) % _PAIRS, min(used + 1, _PAIRS)
        # y's = (g - g_before)'s
        curvature[newest] = (now - slope) * step
        for j in range(w.shape[0]):
            steps[newest, j], changes[newest, j] = step * direction[j], gradient[j] - before[j]
        if not curvature[newest] > -_NEAR * slope * step:
            return False
    return False


@kernel
def logistic(tables, y, compact, first, last, start, cases, rule, labels, probabilities, doubtful, left):  # type: ignore[no-untyped-def]
    """Fit LogisticRegression on every row; the rule holds C, tol, max_iter, whether it has an intercept, and K."""
    strength, _, _, intercept, n_classes = rule
    n, d = tables.shape[1:]
    lines = n_classes if n_classes > 2 else 1
    width = d + 1 if intercept else d
    weights, counts = np.empty(n, np.int32), np.empty(n_classes, np.int64)
    raw, scores, work = np.empty(n_classes), np.empty(n_classes), np.empty((5, lines * width))
    steps, changes = np.empty((_PAIRS, lines * width)), np.empty((_PAIRS, lines * width))
    curvature, share, search = np.empty(_PAIRS), np.empty(_PAIRS), np.empty(6)
    for r in range(first, last):
        if start[r] == start[r + 1] or left[r]:
            continue
        Z = tables[min(r - first, tables.shape[0] - 1)]
        training_row(compact, r, weights)
        m = count_classes(y, weights, counts)
        if counts.min() == 0:
            left[r] = True
            continue
        # scikit-learn minimizes C sum of losses + |w|^2 / 2, divided by C m
        ridge = 1.0 / (strength * m)
        if not _minimize(Z, y, weights, m, lines, ridge, rule, raw, work, search, steps, changes, curvature, share):
            left[r] = True
            continue
        w = work[0]
        for t in range(start[r], start[r + 1]):
            x = Z[cases[t]]
            scores[0] = 0.0
            for c in range(lines):
                score = w[c * width + d] if intercept else 0.0
                for a in range(d):
                    score += w[c * width + a] * x[a]
                scores[n_classes - lines + c] = score
            decide(scores, _NEAR, t, labels, probabilities, doubtful)
