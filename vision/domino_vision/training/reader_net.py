"""The reader network: one small residual CNN over the whole tile, one classifier shared by both halves."""

from typing import Any

from domino_vision.types import HALF_CLASSES

POOLED = (4, 8)
"""Rows and columns of the feature map that the classifier sees: a 4x4 grid for each half."""


def make_reader_net(channels: tuple[int, int, int, int]) -> Any:
    """Build the untrained network, a `torch.nn.Module`.

    Input uint8 (n, h, w, 3) BGR crops, h and w multiples of 64 and 128; output (n, 2, 15) logits. Each crop is
    normalised inside: its mean colour is taken away, its contrast set to one. Squeeze-and-excitation carries the style
    seen in one half to the other.

    Args:
        channels: width of the stem and of the three residual stages.
    """
    import torch
    from torch import nn
    from torch.nn import functional as fn

    class Excite(nn.Module):  # type: ignore[misc]
        def __init__(self, width: int) -> None:
            super().__init__()
            self.squeeze = nn.Conv2d(width, width // 4, 1)
            self.expand = nn.Conv2d(width // 4, width, 1)

        def forward(self, x: Any) -> Any:
            gate = self.expand(fn.relu(self.squeeze(x.mean((2, 3), keepdim=True))))
            return x * torch.sigmoid(gate)

    class Residual(nn.Module):  # type: ignore[misc]
        def __init__(self, inner: int, outer: int, stride: int) -> None:
            super().__init__()
            self.path = nn.Sequential(
                nn.Conv2d(inner, outer, 3, stride, 1, bias=False),
                nn.BatchNorm2d(outer),
                nn.ReLU(inplace=True),
                nn.Conv2d(outer, outer, 3, 1, 1, bias=False),
                nn.BatchNorm2d(outer),
                Excite(outer),
            )
            pool = [nn.AvgPool2d(2)] if stride == 2 else []
            self.skip = nn.Sequential(*pool, nn.Conv2d(inner, outer, 1, bias=False), nn.BatchNorm2d(outer))

        def forward(self, x: Any) -> Any:
            return fn.relu_(self.path(x) + self.skip(x))

    class ReaderNet(nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            stem, *stages = channels
            self.stem = nn.Sequential(
                nn.Conv2d(3, stem, 5, 2, 2, bias=False), nn.BatchNorm2d(stem), nn.ReLU(inplace=True)
            )
            self.stages = nn.Sequential(
                Residual(stem, stages[0], 2), Residual(stages[0], stages[1], 2), Residual(stages[1], stages[2], 1)
            )
            cells = POOLED[0] * POOLED[1] // 2
            self.classify = nn.Sequential(
                nn.Linear(stages[2] * cells, 128), nn.ReLU(inplace=True), nn.Dropout(0.15), nn.Linear(128, HALF_CLASSES)
            )

        def forward(self, crops: Any) -> Any:
            return self.classify(self.halves(crops))

        def halves(self, crops: Any) -> Any:
            x = crops.permute(0, 3, 1, 2).float()
            x = x - x.mean((2, 3), keepdim=True)
            x = x / ((x * x).mean((1, 2, 3), keepdim=True).sqrt() + 8.0)
            grid = fn.avg_pool2d(self.stages(self.stem(x)), 2)
            middle = POOLED[1] // 2
            return torch.stack([grid[..., :middle].flatten(1), grid[..., middle:].flatten(1)], 1)

    return ReaderNet()


def with_features(net: Any) -> Any:
    """Wrap a reader network so that it also returns what its last layer sees.

    Output of the wrapped network: logits (n, 2, 15) and features (n, 2, 128), none below zero; the logits are those
    of `net`, a linear function of the features.
    """
    from torch import nn

    class WithFeatures(nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.net = net

        def forward(self, crops: Any) -> Any:
            features = self.net.classify[:-1](self.net.halves(crops))
            return self.net.classify[-1](features), features

    return WithFeatures()
